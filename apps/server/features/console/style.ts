/** By its hash the only style that the page's policy lets through. No picture, no font, nothing from outside. */
export const style = `
:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--soft:#f1f3f5;--line:#dfe3e8;--text:#1b2029;--dim:#566070;
--accent:#0b6e5f;--accent-soft:#e3f4f0;--on-accent:#fff;--bad:#b72626;--bad-soft:#fdeaea}
@media (prefers-color-scheme:dark){:root{--bg:#12161c;--card:#1a2028;--soft:#232b35;--line:#2f3844;--text:#e4e8ee;--dim:#9aa5b4;
--accent:#4fd1b8;--accent-soft:#15302c;--on-accent:#06231e;--bad:#ff8f8f;--bad-soft:#351d20}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a{color:var(--accent);text-underline-offset:.18em}
h1,p,dl,dd,ul{margin:0;padding:0}
header{display:flex;align-items:center;justify-content:space-between;padding:0 1.1rem;background:var(--card);border-bottom:1px solid var(--line)}
header a{font-size:.9rem;padding:.75rem 0}
main{max-width:29rem;margin:0 auto;padding:1.2rem .8rem 2.5rem}
section{display:grid;gap:1rem;padding:1.6rem 1.3rem;background:var(--card);border:1px solid var(--line);border-radius:14px;box-shadow:0 1px 2px rgb(0 0 0/.04)}
h1{font-size:1.4rem;line-height:1.25;letter-spacing:-.015em}
.who{overflow-wrap:anywhere}
.who b{display:block;font-size:1.1rem}
.dim,dt,.who span{color:var(--dim);font-size:.9rem}
dl{display:grid;gap:.15rem;padding-top:1rem;border-top:1px solid var(--line)}
dd{overflow-wrap:anywhere}
dd+dt{margin-top:.7rem}
ul{list-style:none}
code{display:block;margin-top:.4rem;padding:.45rem .7rem;border-radius:8px;background:var(--soft);color:var(--text);
font:.85rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
button{min-height:3rem;padding:.45rem .9rem;border:1px solid var(--line);border-radius:11px;background:var(--card);color:var(--text);
font:600 1rem/1.25 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;cursor:pointer}
a.button{display:grid;place-items:center;min-height:3rem;padding:.45rem .9rem;border:1px solid var(--line);border-radius:11px;color:inherit;font-weight:600;text-decoration:none}
button:hover,a.button:hover{background:var(--soft)}
button.p{border-color:transparent;background:var(--accent);color:var(--on-accent)}
button.p:hover{filter:brightness(1.07)}
button:disabled{opacity:.55;cursor:progress}
.acts{display:grid;gap:.6rem}
#say p{margin-bottom:1rem;padding:.8rem 1rem;border-radius:11px;background:var(--bad-soft);color:var(--bad)}
#say p.good{background:var(--accent-soft);color:var(--accent)}
#say span{display:block;overflow-wrap:anywhere}
[hidden]{display:none!important}
@media (min-width:40rem){main{padding-top:3.5rem}}
`
