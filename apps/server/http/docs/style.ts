/** Both are inlined, and their hashes are all that the page's Content-Security-Policy lets through. */

export const style = `
:root{color-scheme:light dark;--bg:#fff;--soft:#f5f6f8;--line:#e2e5ea;--text:#1b2029;--dim:#5c6675;--accent:#0b6e5f;
--accent-soft:#e3f4f0;--code:#f5f6f8;--get:#0b6bcb;--post:#137a3d;--patch:#9a5b00;--put:#7a3fb8;--delete:#c02b2b;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace}
@media (prefers-color-scheme:dark){:root{--bg:#12161c;--soft:#1a2028;--line:#2b333e;--text:#e4e8ee;--dim:#98a3b3;
--accent:#4fd1b8;--accent-soft:#15302c;--code:#0c1015;--get:#6db5ff;--post:#5fd38a;--patch:#f0b45a;--put:#c79bff;
--delete:#ff8080}}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.18em}
a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
code,pre,.path{font-family:var(--mono)}
code{font-size:.875em;background:var(--soft);padding:.1em .35em;border-radius:4px;overflow-wrap:anywhere}
.top{position:sticky;top:0;z-index:2;display:flex;gap:1rem;align-items:center;padding:.6rem 1.25rem;background:var(--bg);
border-bottom:1px solid var(--line)}
.top b{font-size:1.05rem;letter-spacing:-.01em}.top span{flex:1}.top a{font-size:.9rem;white-space:nowrap}
.menu{font:inherit;font-size:.9rem;color:inherit;background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.25rem .7rem}
nav{border:0;padding:1.25rem;background:var(--bg);color:inherit;font-size:.9rem;line-height:1.4}
nav:popover-open{position:fixed;inset:0 auto 0 0;width:min(22rem,88vw);height:100dvh;max-height:none;margin:0;overflow:auto;
border-right:1px solid var(--line)}
nav::backdrop{background:rgb(0 0 0/.45)}
nav h2{margin:1.4rem 0 .35rem;font-size:.72rem;text-transform:uppercase;letter-spacing:.07em;color:var(--dim)}
nav h3{margin:.9rem 0 .2rem;font-size:.9rem}
nav ul{list-style:none;margin:0;padding:0}
nav li a{display:flex;gap:.5rem;align-items:baseline;padding:.22rem .5rem;margin:0 -.5rem;border-radius:6px;color:inherit;
text-decoration:none;overflow-wrap:anywhere}
nav li a:hover{background:var(--soft)}
nav .path{font-size:.78rem}
nav ul ul{margin:.1rem 0 .5rem .6rem;border-left:1px solid var(--line);padding-left:.7rem}
nav a[aria-current]{font-weight:600;color:var(--accent)}
.home{color:inherit;text-decoration:none}
.list{max-width:52rem}.list h3{margin:1.4rem 0 .3rem;font-size:1.02rem}.list ul{list-style:none;margin:0;padding:0}
.list li a{display:flex;gap:.6rem;align-items:baseline;padding:.16rem 0;color:inherit;text-decoration:none;overflow-wrap:anywhere}
.list li a{font:.82rem var(--mono)}.list li a:hover{text-decoration:underline}
.list b{font-size:.66rem;color:var(--tone);width:4.1em;flex:none}nav .method{border:0;padding:0;width:4.1em;font-size:.62rem}
section>.filter{max-width:30rem;margin:.4rem 0}
.neighbours{display:flex;gap:1rem;border-top:1px solid var(--line);padding-top:1rem}.neighbours span{flex:1}
.filter{width:100%;font:inherit;color:inherit;background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.4rem .6rem}
main{max-width:78rem;padding:1.5rem 1.25rem 6rem;min-width:0}
h1{font-size:2.1rem;line-height:1.15;letter-spacing:-.025em;margin:.5rem 0 .6rem}
.lead{font-size:1.12rem;color:var(--dim);max-width:44rem;margin:0 0 2rem}
.guide h2,#operations h2{font-size:1.35rem;letter-spacing:-.015em;margin:2.8rem 0 .5rem}
.guide figure,.guide .pair{max-width:52rem}.guide p,.guide dl{max-width:46rem}.guide p{margin:.6rem 0}
.pair{display:grid;gap:1rem;margin:1rem 0}
dl.headers{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1rem;margin:1rem 0}dl.headers dd{margin:0;color:var(--dim)}
.kicker{margin:2.2rem 0 0;font-size:.75rem;text-transform:uppercase;letter-spacing:.08em;color:var(--dim);
border-top:1px solid var(--line);padding-top:1.5rem}
.base{color:var(--dim);margin:0 0 1rem}
article{border-top:1px solid var(--line);padding:1.8rem 0 2rem;display:grid;gap:1.25rem;min-width:0}
article>*{min-width:0}
article h3{display:flex;flex-wrap:wrap;gap:.35rem .65rem;align-items:center;margin:0;font-size:1.08rem;line-height:1.4}
article h3 .path{overflow-wrap:anywhere}article h3 .path i{font-style:normal;color:var(--accent)}
article h3 a{color:inherit;text-decoration:none}article h3 a:hover{text-decoration:underline}
.summary{margin:.45rem 0 .7rem;font-size:1.02rem}
.method{font:700 .7rem/1 var(--mono);letter-spacing:.03em;color:var(--tone);border:1px solid currentColor;border-radius:5px;
padding:.28em .45em;flex:none}
.get{--tone:var(--get)}.post{--tone:var(--post)}.patch{--tone:var(--patch)}.put{--tone:var(--put)}.delete{--tone:var(--delete)}
.tags{display:flex;flex-wrap:wrap;gap:.4rem;margin:0;padding:0;list-style:none;font-size:.8rem}
.tags li{background:var(--soft);border:1px solid var(--line);border-radius:99px;padding:.08rem .65rem;color:var(--dim)}
.tags .session{color:var(--patch)}
h4{margin:1.4rem 0 .2rem;font-size:.78rem;letter-spacing:.03em;color:var(--dim)}
.fields{list-style:none;margin:0;padding:0}
.fields li{padding:.5rem 0;border-bottom:1px solid var(--line);line-height:1.45}.fields li:last-child{border-bottom:0}
.fields code{background:none;padding:0;margin-right:.45rem;font-weight:600;font-size:.9rem}.fields code i{font-style:normal;font-weight:400;color:var(--dim)}
.fields .type{font:.82rem var(--mono);color:var(--dim);margin-right:.45rem}
.fields .required{font-size:.76rem;color:var(--delete);margin-right:.45rem}
.fields .range{font-size:.8rem;color:var(--dim);margin-right:.45rem;overflow-wrap:anywhere}
.fields p{margin:.1rem 0 0;font-size:.9rem;color:var(--dim)}
details{border:1px solid var(--line);border-radius:8px;padding:.15rem .9rem;margin:.8rem 0}
summary{cursor:pointer;font-size:.88rem;padding:.35rem 0;color:var(--dim)}summary b{color:var(--text);font-weight:600}
.errors{list-style:none;margin:0;padding:0;font-size:.9rem}.errors li{padding:.22rem 0;line-height:1.45}
.errors p{margin:0;color:var(--dim)}
pre{margin:0;padding:.85rem 1rem;background:var(--code);border:1px solid var(--line);border-radius:8px;overflow:auto;
font-size:.8rem;line-height:1.55;max-height:26rem;tab-size:2}
pre code{background:none;padding:0;font-size:inherit;overflow-wrap:normal}
figure{margin:0 0 .9rem;position:relative;min-width:0}
figcaption{font-size:.76rem;color:var(--dim);margin-bottom:.25rem}
.copy{position:absolute;top:0;right:0;font:inherit;font-size:.74rem;color:var(--accent);background:none;border:0;padding:0;cursor:pointer}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th{text-align:left;font-size:.76rem;color:var(--dim);font-weight:600}
th,td{padding:.45rem .9rem .45rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.num{font-family:var(--mono);font-variant-numeric:tabular-nums}
td code{white-space:nowrap;overflow-wrap:normal}
tr:target,.fields li:target{background:var(--accent-soft)}
article:target h3 .path{text-decoration:underline;text-decoration-color:var(--accent);text-underline-offset:.3em}
.dot{color:var(--accent)}
[hidden]{display:none!important}
@media (max-width:34rem){body{font-size:15.5px}h1{font-size:1.75rem}.top{gap:.75rem}.top a{font-size:.84rem}
.errors-table tr{display:grid;grid-template-columns:2.2rem 2.8rem 1fr;border-bottom:1px solid var(--line);padding:.45rem 0}
.errors-table td{border:0;padding:0}.errors-table td:last-child{grid-column:1/-1;color:var(--dim)}.errors-table thead{display:none}}
@media (min-width:48rem){.pair{grid-template-columns:1fr 1fr}}
@media (min-width:64rem){.menu{display:none}.frame{display:grid;grid-template-columns:19rem minmax(0,1fr)}
nav{display:block;position:sticky;inset:auto;top:3.1rem;width:auto;height:calc(100dvh - 3.1rem);max-height:none;margin:0;overflow:auto;
border-right:1px solid var(--line)}
main{padding:1.5rem 2.75rem 8rem}}
@media (min-width:82rem){article{grid-template-columns:minmax(0,1fr) minmax(0,27rem);gap:2.5rem}
.examples{position:sticky;top:4.5rem;align-self:start}}
@media print{nav,.top,.copy{display:none!important}pre{max-height:none;white-space:pre-wrap}}
`

export const script = `
const nav=document.querySelector('nav'),filter=document.querySelector('.filter'),words=document.body.dataset
if(nav.hidePopover)nav.addEventListener('click',e=>{if(e.target.closest('a')&&nav.matches(':popover-open'))nav.hidePopover()})
if(filter){
const lists=[...document.querySelectorAll('.list')],asked=location.hash.slice(1)
const known=asked&&!document.getElementById(asked)&&document.querySelector('.list a[href$="#'+CSS.escape(asked)+'"]')
if(known)location.replace(known.href)
filter.hidden=false
filter.addEventListener('input',()=>{
const asked=filter.value.toLowerCase().split(/\\s+/).filter(Boolean)
let found=0
for(const list of lists){
const part=list.querySelector('h3').textContent
let shown=0
for(const item of list.querySelectorAll('li')){
const link=item.querySelector("a"),said=(part+' '+link.hash+' '+item.textContent.replace('/',' /')).toLowerCase()
item.hidden=!asked.every(word=>said.includes(word))
if(!item.hidden)shown++}
list.hidden=!shown
found+=shown}
document.querySelector('.nothing').hidden=found>0})}
if(navigator.clipboard)for(const figure of document.querySelectorAll('figure')){
const button=document.createElement('button')
button.className='copy'
button.type='button'
button.textContent=words.copy
button.addEventListener('click',async()=>{
await navigator.clipboard.writeText(figure.querySelector('code').textContent)
button.textContent=words.copied
setTimeout(()=>{button.textContent=words.copy},1500)})
figure.append(button)}
`
