/**
 * Signs in by the link's secret or by a passkey, and what one does next. Plain functions of the browser; its hash is part of the
 * page's policy. The secret leaves the address bar at once and is posted when a person presses, so that whatever opens links to
 * look at them uses none up.
 */
export const script = String.raw`
const at=id=>document.getElementById(id),root=document.body.dataset,messages=[...document.querySelectorAll('#say p')]
let secret=location.hash.slice(1),timer
// Where somebody was who had to sign in; never to another site.
const to=new URLSearchParams(location.search).get('to')||'',goOn=()=>/^\/console(?![\w-]|\/sign-in)/.test(to)&&location.assign(to)
const move=url=>location.replace(url+(secret&&'#'+secret))
if(root.origin&&location.origin!==root.origin&&/^(127\.|\[::1\])/.test(location.hostname))move(root.origin+location.pathname+location.search)
else history.replaceState(null,'',location.pathname+location.search)
at('lang').onclick=event=>{event.preventDefault();move(event.target.href)}

class Trouble extends Error{constructor(name,words=''){super(words);this.name=name}}
const call=async(method,path,body)=>{
const headers={'X-Sallyport-Console':'1',...(body&&{'Content-Type':'application/json'})}
const answer=await fetch('/operator/v1'+path,{method,headers,body:body&&JSON.stringify(body)}).catch(()=>{throw new Trouble('away')})
const {data,message,details=[]}=await answer.json().catch(()=>({}))
if(answer.ok)return data
const words=details.map(({problem})=>problem).join('; ')||message||String(answer.status)
throw new Trouble({401:'ended',403:'unproved',429:'often'}[answer.status]||'said',words)}

const say=(name,words='')=>{for(const one of messages){one.hidden=one.dataset.name!==name
const span=one.querySelector('span');if(span)span.textContent=words}}
const show=name=>{for(const one of document.querySelectorAll('section'))one.hidden=one.id!==name}

const bytes=text=>Uint8Array.from(atob(text.replace(/-/g,'+').replace(/_/g,'/')),sign=>sign.charCodeAt(0))
const text=data=>btoa(String.fromCharCode(...new Uint8Array(data))).replace(/\+/g,'-').replace(/\//g,'_').replace(/=+$/,'')
const known=(list=[])=>list.map(one=>({...one,id:bytes(one.id)}))
const ask=async(kind,options)=>{
try{return await navigator.credentials[kind]({publicKey:{...options,challenge:bytes(options.challenge)}})}
catch(error){throw new Trouble(error.name==='InvalidStateError'?'present':'cancelled')}}
const sent=({id,rawId,type},response)=>({id,rawId:text(rawId),type,response,clientExtensionResults:{}})

const sign=async path=>{
const options=await call('POST',path+'/options')
const credential=await ask('get',{...options,allowCredentials:known(options.allowCredentials)})
const {clientDataJSON,authenticatorData,signature,userHandle}=credential.response
await call('POST',path+'/verify',sent(credential,{clientDataJSON:text(clientDataJSON),authenticatorData:text(authenticatorData),
signature:text(signature),...(userHandle&&{userHandle:text(userHandle)})}))
.catch(error=>{throw error.name==='ended'?new Trouble('unknown'):error})}

const add=async()=>{
const path='/auth/passkeys/registration',options=await call('POST',path+'/options')
const credential=await ask('create',{...options,user:{...options.user,id:bytes(options.user.id)},excludeCredentials:known(options.excludeCredentials)})
const {response}=credential,transports=response.getTransports?response.getTransports():[]
await call('POST',path+'/verify',sent(credential,{clientDataJSON:text(response.clientDataJSON),
attestationObject:text(response.attestationObject),transports}))}

const showProof=until=>{
clearTimeout(timer)
const left=until?until*1000-Date.now():0,{proved,not}=at('proof').dataset
const time=left>0&&new Date(until*1000).toLocaleTimeString(document.documentElement.lang,{hour:'2-digit',minute:'2-digit'})
at('proof').textContent=time?proved.replace('{time}',time):not
if(time)timer=setTimeout(showProof,left)}

const showMe=async()=>{
const {name,email,role,passkeys,proved_until}=await call('GET','/me')
at('name').textContent=name
at('role').textContent=[at('role').dataset[role],email].filter(Boolean).join(' · ')
at('passkeys').replaceChildren(...passkeys.map(({title})=>Object.assign(document.createElement('li'),{textContent:title})))
at('none').hidden=passkeys.length>0
at('prove').hidden=passkeys.length===0||!able
at('add').hidden=!able
at('add').className=passkeys.length?'':'p'
showProof(proved_until)
show('me')}

const able=Boolean(window.PublicKeyCredential&&navigator.credentials)
const signedOut=name=>{show('key');at('sign').hidden=!able;return able?name:'unable'}

const does=(id,work)=>{at(id).onclick=async event=>{
const {target}=event
target.disabled=true
say()
try{say(await work())}
catch(error){if(error.name==='ended')say(signedOut('ended'));else say(error instanceof Trouble?error.name:'said',error.message)}
target.disabled=false}}

does('enter',async()=>{
await call('POST','/auth/link',{token:secret}).then(()=>{secret=''},error=>{
if(error.name!=='ended')throw error
secret=''
signedOut()
throw new Trouble('used')})
await showMe()})
does('sign',async()=>{await sign('/auth/passkeys');await showMe();goOn()})
does('add',async()=>{await add();await showMe();return 'added'})
does('prove',async()=>{await sign('/auth/passkeys/proof');await showMe();return 'confirmed'})
does('out',async()=>{await call('POST','/auth/sign-out');return signedOut('left')})

const begin=()=>{
if(!isSecureContext)return say('insecure')
if(secret)return show('link')
return showMe().then(goOn).catch(error=>{const name=signedOut();if(error.name==='ended')say(name);else say(error.name,error.message)})}
begin()
addEventListener('hashchange',()=>location.reload())
`
