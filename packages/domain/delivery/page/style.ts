/** The look of every page here, by its hash the only style that is let through. No picture, no font, nothing from outside. */
export const style = `
:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--soft:#f1f3f5;--line:#dfe3e8;--text:#1b2029;--dim:#566070;
--accent:#0b6e5f;--accent-soft:#e3f4f0;--on-accent:#fff;--note:#855000;--note-soft:#fdf3e1;--bad:#b72626;--bad-soft:#fdeaea}
@media (prefers-color-scheme:dark){:root{--bg:#12161c;--card:#1a2028;--soft:#232b35;--line:#2f3844;--text:#e4e8ee;--dim:#9aa5b4;
--accent:#4fd1b8;--accent-soft:#15302c;--on-accent:#06231e;--note:#f0b45a;--note-soft:#2e2617;--bad:#ff8f8f;--bad-soft:#351d20}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
a{color:var(--accent);text-underline-offset:.18em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
h1,h2,h3,h4,p,ul,ol,dl,dd{margin:0;padding:0}
ul{list-style:none}
h1,bdi{overflow-wrap:anywhere}
.top{display:flex;align-items:center;justify-content:space-between;padding:0 1.1rem;background:var(--card);border-bottom:1px solid var(--line)}
.top b{letter-spacing:-.01em}
.top a{font-size:.9rem;padding:.75rem 0}
main{display:grid;gap:1rem;max-width:62rem;margin:0 auto;padding:1rem .8rem 2.5rem}
main>div{display:grid;gap:1rem;align-content:start;min-width:0}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.15rem 1.1rem;box-shadow:0 1px 2px rgb(0 0 0/.04);min-width:0}
h1{font-size:1.05rem;font-weight:600;line-height:1.35}
h2{font-size:1.2rem;line-height:1.3;letter-spacing:-.01em;margin-bottom:.25rem}
h3,h4{font-size:1rem;line-height:1.35;display:inline}
small,.dim{color:var(--dim);font-size:.875rem}
.head{display:flex;gap:.7rem;align-items:flex-start;justify-content:space-between}
.pill{flex:none;font-size:.8rem;font-weight:600;line-height:1;border-radius:99px;padding:.45em .8em;background:var(--tone-soft);color:var(--tone)}
.good{--tone:var(--accent);--tone-soft:var(--accent-soft)}.wait{--tone:var(--note);--tone-soft:var(--note-soft)}
.bad{--tone:var(--bad);--tone-soft:var(--bad-soft)}
.big{font-size:2rem;font-weight:650;line-height:1.15;letter-spacing:-.025em;margin-top:.8rem}
.fact+details{margin-top:1rem}
.soon{color:var(--note);font-weight:600}
.fact{margin-top:1rem;padding-top:1rem;border-top:1px solid var(--line)}
progress{display:block;width:100%;height:.6rem;margin:.5rem 0 .3rem;border:0;border-radius:9px;overflow:hidden;background:var(--line);accent-color:var(--accent)}
progress::-webkit-progress-bar{background:var(--line)}
progress::-webkit-progress-value{background:var(--accent)}
progress::-moz-progress-bar{background:var(--accent)}
details{border-top:1px solid var(--line)}
.fold{margin-top:.8rem}
.fold:last-child{margin-bottom:-.6rem}
summary{display:flex;align-items:center;gap:.6rem;min-height:3.1rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::after{content:'';margin-left:auto;margin-right:.3rem;width:.5rem;height:.5rem;border:solid var(--dim);border-width:0 2px 2px 0;rotate:45deg;translate:0 -.15rem}
[open]>summary::after{rotate:-135deg;translate:0 .15rem}
summary.more{color:var(--accent);font-weight:600;font-size:.95rem}
.apps>li{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.15rem .75rem;padding:.85rem 0}
.apps>li+li{border-top:1px dashed var(--line)}
.apps i{grid-row:span 2;display:grid;place-items:center;width:2.6rem;height:2.6rem;border-radius:11px;background:var(--accent-soft);color:var(--accent);font:650 1.1rem/1 system-ui,sans-serif}
.apps small{display:block}
.acts{grid-column:1/-1;display:grid;grid-template-columns:1fr 1fr;gap:.5rem;margin-top:.55rem}
.acts>:last-child:nth-child(odd){grid-column:1/-1}
.b,button{display:flex;flex-direction:column;align-items:center;justify-content:center;min-height:3rem;padding:.45rem .9rem;border:1px solid var(--line);border-radius:11px;
background:var(--card);color:var(--text);font:600 1rem/1.25 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;text-align:center;text-decoration:none;cursor:pointer}
.b small{font-weight:500;font-size:.78rem}
.b:hover,button:hover{background:var(--soft)}
.p,.p:hover{border-color:transparent;background:var(--accent);color:var(--on-accent)}
.p:hover{filter:brightness(1.07)}
.qr{display:block;max-width:100%;height:auto;margin:.9rem auto;border-radius:10px;border:1px solid var(--line);background:#fff;image-rendering:pixelated}
.qr:last-child{margin-bottom:.2rem}
label{display:block;font-weight:600;font-size:.9rem;margin:.9rem 0 .35rem}
.copy{display:grid;gap:.5rem}
input,textarea{width:100%;min-height:3rem;padding:.6rem .8rem;border:1px solid var(--line);border-radius:11px;background:var(--soft);color:var(--text);font:.875rem/1.45 ui-monospace,Menlo,Consolas,monospace}
textarea{resize:vertical;overflow-wrap:anywhere}
.copy+p,.go+p{margin-top:.6rem}
.list{margin:.5rem -1.1rem -1.15rem;border-radius:0 0 13px 13px;overflow:hidden}
.list a{display:flex;align-items:center;gap:.75rem;min-height:3.4rem;padding:.5rem 1.1rem;color:inherit;text-decoration:none;border-top:1px solid var(--line)}
.list a:hover{background:var(--soft)}
.list span{flex:1;min-width:0}
.list span small{display:block}
.on,.off{flex:none;font-size:.82rem;font-style:normal;display:flex;align-items:center;gap:.4rem;color:var(--dim)}
.on::before,.off::before{content:'';width:.55rem;height:.55rem;border-radius:50%;background:var(--accent)}
.off::before{background:none;border:2px solid var(--bad)}
.list details{padding:0 1.1rem}.list details ul{margin:0 -1.1rem}
.list+.under{margin-top:1.9rem}
.tips{list-style:disc;padding-left:1.1rem;display:grid;gap:.5rem;margin-top:.5rem}
.tips li{break-inside:avoid;margin-bottom:.15rem}
.back{justify-self:start;padding:.5rem .2rem;margin:-.4rem 0}
.go{display:grid;gap:.6rem;margin-top:1.1rem}
.one{max-width:30rem;width:100%}
.state{text-align:center;padding:1.8rem 1.3rem 1.4rem}
.sign{display:grid;place-items:center;width:3.75rem;height:3.75rem;margin:0 auto .9rem;border-radius:50%;font-size:1.7rem;line-height:1;background:var(--tone-soft);color:var(--tone)}
.state h1,.state h2{font-size:1.4rem;line-height:1.25;letter-spacing:-.015em;margin-bottom:.4rem}
[hidden]{display:none}
@media (min-width:56rem){main{padding:1.6rem 1.2rem 3rem}.two{grid-template-columns:minmax(0,1.35fr) minmax(0,1fr)}.wide{grid-column:1/-1}
section{padding:1.4rem 1.5rem}.list{margin-inline:-1.5rem;margin-bottom:-1.4rem}.wide .tips{display:block;columns:2;column-gap:2.5rem}.wide .go{grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));margin:0}.list a,.list details{padding-inline:1.5rem}.list details ul{margin-inline:-1.5rem}}
`
