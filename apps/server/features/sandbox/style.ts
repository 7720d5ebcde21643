/** The look of /docs on one small page. Its hash is all that the Content-Security-Policy lets through. */
export const style = `
:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--soft:#f5f6f8;--line:#e2e5ea;--text:#1b2029;--dim:#5c6675;
--accent:#0b6e5f;--accent-soft:#e3f4f0;--on-accent:#fff;--note:#8a5200;--note-soft:#fdf3e1;--bad:#c02b2b;--bad-soft:#fdeaea}
@media (prefers-color-scheme:dark){:root{--bg:#12161c;--card:#1a2028;--soft:#222a34;--line:#2b333e;--text:#e4e8ee;--dim:#98a3b3;
--accent:#4fd1b8;--accent-soft:#15302c;--on-accent:#06231e;--note:#f0b45a;--note-soft:#2e2617;--bad:#ff8080;--bad-soft:#351d20}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100dvh;display:flex;flex-direction:column;background:var(--bg);color:var(--text);
font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.18em}
a:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.top{display:flex;gap:.6rem;align-items:center;padding:.7rem 1.25rem;background:var(--card);border-bottom:1px solid var(--line)}
.top b{font-size:1.05rem;letter-spacing:-.01em}.top span{flex:1}
.top i{font:600 .72rem/1 system-ui,sans-serif;color:var(--note);background:var(--note-soft);border-radius:99px;padding:.35em .7em}
.top a{font-size:.9rem;display:block;padding:.35rem 0}
main{flex:1;display:grid;place-items:center;padding:1.5rem 1rem 3rem}
.card{width:100%;max-width:26rem;background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.75rem 1.5rem 1.5rem;
box-shadow:0 1px 2px rgb(0 0 0/.04),0 8px 28px rgb(0 0 0/.06)}
h1{margin:0;font-size:1.05rem;font-weight:500;line-height:1.4;color:var(--dim);overflow-wrap:anywhere}
.amount{margin:.3rem 0 0;font-size:2.5rem;font-weight:650;line-height:1.15;letter-spacing:-.03em;font-variant-numeric:tabular-nums;
overflow-wrap:anywhere}
.amount small{font-size:.9rem;font-weight:500;letter-spacing:0;color:var(--dim);margin-left:.2rem}
.note{margin:1.1rem 0;padding:.7rem .85rem;border-radius:9px;background:var(--note-soft);color:var(--note);font-size:.9rem;line-height:1.45}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.4rem 1rem;margin:1.1rem 0 0;font-size:.9rem}
dt{color:var(--dim);white-space:nowrap}dd{margin:0;text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
form{display:grid;gap:.6rem;margin:1.4rem 0 0}
button,.back{display:block;width:100%;min-height:3rem;padding:.65rem 1rem;border:1px solid var(--line);border-radius:10px;
background:var(--card);color:var(--text);font:600 1rem/1.4 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;
text-align:center;text-decoration:none;cursor:pointer}
button:hover,.back:hover{background:var(--soft)}
.primary{border-color:transparent;background:var(--accent);color:var(--on-accent)}
.primary:hover{background:var(--accent);filter:brightness(1.08)}
.refuse{color:var(--bad)}
.state{text-align:center;padding-bottom:1.4rem;margin-bottom:1.4rem;border-bottom:1px solid var(--line)}
.state:last-child{border:0;margin:0;padding:0}
.sign{display:grid;place-items:center;width:3.75rem;height:3.75rem;margin:0 auto .9rem;border-radius:50%;font-size:1.7rem;line-height:1;
background:var(--tone-soft);color:var(--tone)}
.state h2{margin:0;font-size:1.4rem;line-height:1.25;letter-spacing:-.015em}
.state p{margin:.4rem 0 0;color:var(--dim);font-size:.95rem}
.good{--tone:var(--accent);--tone-soft:var(--accent-soft)}.wait{--tone:var(--note);--tone-soft:var(--note-soft)}
.bad{--tone:var(--bad);--tone-soft:var(--bad-soft)}
.back{margin-top:1.4rem}form+.back{margin:.5rem 0 -.5rem;border-color:transparent;background:none;color:var(--dim);min-height:0;
font-weight:500;font-size:.92rem}
@media (max-width:26rem){.card{padding:1.4rem 1.15rem 1.15rem}.amount{font-size:2.15rem}}
`
