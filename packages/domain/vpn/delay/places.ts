/**
 * Cities by the last word of their time zone, with latitude and longitude in whole degrees: an error of half a degree is one
 * millisecond. Browsers still give some zones their old names, which stand here too.
 */
const cityText =
  'Moscow56 38,Kaliningrad55 21,Simferopol45 34,Kirov59 50,Volgograd49 45,Astrakhan46 48,Samara53 50,Saratov52 46,Ulyanovsk54 48,' +
  'Yekaterinburg57 61,Omsk55 73,Novosibirsk55 83,Barnaul53 84,Tomsk56 85,Novokuznetsk54 87,Krasnoyarsk56 93,Irkutsk52 104,Chita52 114,' +
  'Yakutsk62 130,Vladivostok43 132,Khandyga63 136,Magadan60 151,Sakhalin47 143,Srednekolymsk67 154,Kamchatka53 159,Anadyr65 178,' +
  'Kiev50 31,Kyiv50 31,Minsk54 28,Chisinau47 29,Vilnius55 25,Riga57 24,Tallinn59 25,Helsinki60 25,Stockholm59 18,Oslo60 11,Copenhagen56 13,' +
  'Reykjavik64 -22,Dublin53 -6,London52 0,Lisbon39 -9,Madrid40 -4,Paris49 2,Monaco44 7,Brussels51 4,Amsterdam52 5,Luxembourg50 6,Berlin53 13,' +
  'Busingen48 9,Zurich47 9,Vaduz47 10,Vienna48 16,Rome42 12,Malta36 15,Prague50 14,Bratislava48 17,Budapest47 19,Warsaw52 21,Ljubljana46 15,' +
  'Zagreb46 16,Sarajevo44 18,Belgrade45 20,Podgorica42 19,Skopje42 21,Tirane41 20,Athens38 24,Sofia43 23,Bucharest44 26,Istanbul41 29,' +
  'Nicosia35 33,Tbilisi42 45,Yerevan40 45,Baku40 50,Almaty43 77,Qyzylorda45 66,Qostanay53 64,Aqtobe50 57,Aqtau44 51,Atyrau47 52,Oral51 51,' +
  'Tashkent41 69,Samarkand40 67,Bishkek43 75,Dushanbe39 69,Ashgabat38 58,Kabul35 69,Tehran36 51,Baghdad33 44,Damascus34 36,Beirut34 36,' +
  'Jerusalem32 35,Tel_Aviv32 35,Amman32 36,Riyadh25 47,Kuwait29 48,Bahrain26 51,Qatar25 52,Dubai25 55,Muscat24 58,Aden13 45,Cairo30 31,' +
  'Tripoli33 13,Tunis37 10,Algiers37 3,Casablanca34 -8,Lagos6 3,Accra6 0,Nairobi-1 37,Addis_Ababa9 39,Khartoum16 33,Johannesburg-26 28,' +
  'Maputo-26 33,Mauritius-20 57,Karachi25 67,Kolkata19 73,Calcutta19 73,Colombo7 80,Dhaka24 90,Kathmandu28 85,Katmandu28 85,Yangon17 96,' +
  'Rangoon17 96,Bangkok14 101,Phnom_Penh12 105,Vientiane18 103,Ho_Chi_Minh11 107,Saigon11 107,Kuala_Lumpur3 102,Singapore1 104,' +
  'Jakarta-6 107,Makassar-5 119,Manila15 121,Hong_Kong22 114,Macau22 114,Taipei25 122,Shanghai31 121,Urumqi44 88,Ulaanbaatar48 107,' +
  'Seoul38 127,Tokyo36 140,Perth-32 116,Adelaide-35 139,Darwin-12 131,Brisbane-27 153,Sydney-34 151,Melbourne-38 145,Hobart-43 147,' +
  'Auckland-37 175,Honolulu21 -158,Anchorage61 -150,Vancouver49 -123,Los_Angeles34 -118,Tijuana33 -117,Phoenix33 -112,Denver40 -105,' +
  'Edmonton54 -113,Winnipeg50 -97,Chicago42 -88,Mexico_City19 -99,Monterrey26 -100,Detroit42 -83,Indianapolis40 -86,New_York41 -74,' +
  'Toronto44 -79,Montreal45 -74,Halifax45 -64,Havana23 -82,Santo_Domingo18 -70,Puerto_Rico18 -66,Guatemala15 -91,Costa_Rica10 -84,' +
  'Panama9 -80,Bogota5 -74,Caracas10 -67,Guayaquil-2 -80,Lima-12 -77,La_Paz-16 -68,Asuncion-25 -58,Santiago-33 -71,Buenos_Aires-35 -58,' +
  'Montevideo-35 -56,Sao_Paulo-24 -47,Fortaleza-4 -39'

/** In which city the servers of a country usually stand. */
const countryText =
  'RUMoscow,UAKyiv,BYMinsk,MDChisinau,LTVilnius,LVRiga,EETallinn,FIHelsinki,SEStockholm,NOOslo,DKCopenhagen,ISReykjavik,IEDublin,GBLondon,' +
  'UKLondon,PTLisbon,ESMadrid,FRParis,MCMonaco,BEBrussels,NLAmsterdam,LULuxembourg,CHZurich,LIVaduz,ATVienna,ITRome,MTMalta,CZPrague,' +
  'SKBratislava,HUBudapest,PLWarsaw,SILjubljana,HRZagreb,BASarajevo,RSBelgrade,MEPodgorica,MKSkopje,ALTirane,GRAthens,BGSofia,ROBucharest,' +
  'TRIstanbul,CYNicosia,GETbilisi,AMYerevan,AZBaku,KZAlmaty,UZTashkent,KGBishkek,TJDushanbe,TMAshgabat,IRTehran,IQBaghdad,ILTel_Aviv,' +
  'JOAmman,SARiyadh,KWKuwait,BHBahrain,QAQatar,AEDubai,OMMuscat,EGCairo,TNTunis,MACasablanca,NGLagos,GHAccra,KENairobi,ZAJohannesburg,' +
  'PKKarachi,INKolkata,LKColombo,BDDhaka,NPKathmandu,THBangkok,KHPhnom_Penh,VNHo_Chi_Minh,MYKuala_Lumpur,SGSingapore,IDJakarta,PHManila,' +
  'HKHong_Kong,MOMacau,TWTaipei,CNShanghai,MNUlaanbaatar,KRSeoul,JPTokyo,AUSydney,NZAuckland,USNew_York,CAToronto,MXMexico_City,' +
  'PAPanama,CRCosta_Rica,COBogota,PELima,CLSantiago,ARBuenos_Aires,UYMontevideo,BRSao_Paulo'

export type Point = readonly [latitude: number, longitude: number]

const cities = new Map(
  cityText.split(',').map((one): [string, Point] => {
    const [, name = '', latitude, longitude] = /^(\D+?)(-?\d+) (-?\d+)$/.exec(one) ?? []
    return [name, [Number(latitude), Number(longitude)]]
  }),
)

/** Germany's stand in Frankfurt, which gives no zone its name. */
const countries = new Map<string, Point | undefined>([
  ['DE', [50, 9]],
  ...countryText.split(',').map((one) => [one.slice(0, 2), cities.get(one.slice(2))] as const),
])

export const zonePoint = (zone: string): Point | undefined =>
  zone.includes('/') ? cities.get(zone.slice(zone.lastIndexOf('/') + 1)) : undefined

/** By its code of two letters, however it is written. */
export const countryPoint = (code: string): Point | undefined => countries.get(code.toUpperCase())

export const countryCodes: readonly string[] = [...countries.keys()]
