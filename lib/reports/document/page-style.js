// Holds the style of the pages that documents become.

/** Colors are named once, for light and dark. */
export const PAGE_STYLE = `:root{color-scheme:light dark;--ink:#1f2328;--muted:#57606a;--paper:#fff;--soft:#f6f8fa;--rule:#d0d7de;--link:#0b5cad}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6edf3;--muted:#a3acb5;--paper:#0d1117;--soft:#161b22;--rule:#30363d;--link:#6cb6ff}}
*{box-sizing:border-box}body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,sans-serif}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--rule);padding-bottom:.25rem}
h1,h2,p,li,dd,figcaption,caption{overflow-wrap:anywhere}p,ul{margin:.5rem 0}a{color:var(--link)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.75rem 0;color:var(--muted);font-size:.875rem}dd{margin:0;color:var(--ink)}
code,pre{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}code{background:var(--soft);border-radius:3px;padding:0 .2em}pre{tab-size:2}pre code{background:none;padding:0;font-size:1em}
figure{margin:1rem 0}figcaption{color:var(--muted);font-size:.875rem}.drawn svg{display:none;max-width:100%;height:auto}.drawn .narrow svg{display:block}
.scroll{overflow-x:auto;margin:1rem 0;border:1px solid var(--rule);border-radius:6px}.scroll pre{margin:0;padding:.75rem}
table{border-collapse:collapse;width:100%;font-size:.875rem}caption{text-align:left;font-weight:600;padding:.5rem .75rem}caption span{display:inline-block;position:sticky;left:.75rem;max-width:calc(100vw - 4rem)}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem;border-top:1px solid var(--rule)}th{font-weight:600}tbody th{font-weight:400}tbody td:not(.number):not(.code){min-width:7rem}.legend{color:var(--muted);font-size:.875rem}tbody th:not(.number){min-width:10rem}.source tbody th{min-width:0}.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}thead th{background:var(--soft)}thead .number{white-space:normal}td.code{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;tab-size:2}.source tbody th,.source tbody td{border-top:0;padding-top:.05rem;padding-bottom:.05rem}
@media (min-width:500px){.drawn .narrow svg{display:none}.drawn .middle svg{display:block}}
@media (min-width:760px){.drawn .middle svg{display:none}.drawn .wide svg{display:block}}
@media print{body{max-width:none;padding:0}.scroll{overflow:visible;border:0}.scroll pre,td.code{white-space:pre-wrap;overflow-wrap:anywhere}figure,tr{break-inside:avoid}h2{break-after:avoid}}
`;

/** Of a table that is searched and sorted. */
export const SEARCH_STYLE = `#rows th,#rows td{padding-left:.5rem;padding-right:.5rem}#filter{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:.75rem 0}#filter[hidden],#more[hidden]{display:none}
#filter input{min-width:0;width:16rem;max-width:100%}input,button{font:inherit;padding:.3rem .5rem;border:1px solid var(--rule);border-radius:6px;background:var(--paper);color:var(--ink)}button{cursor:pointer}
#shown{color:var(--muted);font-size:.875rem}thead button{padding:0;border:0;background:none;font-weight:600;text-align:inherit;text-decoration:underline dotted}[aria-sort=ascending] button::after{content:" ▲"}[aria-sort=descending] button::after{content:" ▼"}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}@media print{#filter,#more{display:none}}
`;
