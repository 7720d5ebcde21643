/**
 * What the pages gain where scripts run; they work without. Plain functions of the browser in as few bytes as stay
 * readable: these texts are part of every page, and their hashes of the policy.
 */

/** Copies with one tap, and opens the right block on an iPad, which calls itself a Mac. */
export const script = `
for(const b of document.querySelectorAll('button[data-done]')){
const f=document.getElementById(b.dataset.of),s=b.firstChild,t=s.textContent
b.hidden=false
b.onclick=async()=>{f.select();try{await navigator.clipboard.writeText(f.value)}catch{document.execCommand('copy')}
s.textContent=b.dataset.done;setTimeout(()=>{s.textContent=t},2500)}}
const i=document.getElementById('ios'),m=document.getElementById('macos')
if(i&&m&&m.open&&navigator.maxTouchPoints>1){m.open=false;i.open=true}
`

/**
 * Makes the button of /open/<app>#<key>. Browsers keep what stands after "#" to themselves, so that no log has the key;
 * what is made of it begins with the scheme of an app that the catalogue knows, whatever stands there.
 */
export const openScript = `
const a=document.getElementById('go'),k=location.hash.slice(1)
if(/^[0-9A-Za-z]{16,64}$/.test(k)){const u=a.dataset.base+k,v={url:u,encodedUrl:encodeURIComponent(u),base64Url:btoa(u),name:a.dataset.name}
a.href=a.dataset.template.replace(/\\{(\\w+)\\}/g,(_,n)=>v[n])
document.getElementById('ready').hidden=false}else document.getElementById('bad').hidden=false
document.getElementById('lang').hash=k
onhashchange=()=>location.reload()
`
