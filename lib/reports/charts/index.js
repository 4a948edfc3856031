// Draws figures as pictures, which are text. The only door of d3; pure: the same figures give the same text, names in a picture
// come from the `id` of the caller.
//
// Pictures: each takes `{id, title, width?, description?, note?, …}` and returns a self-contained `<svg>`, light or dark as its reader has set.
//   barChart({axis, rows: [{label, values: [{value, low?, high?, text?}]}], series?, reference?})   horizontal bars with error bars
//   lineChart({x, y, series: [{name, points: [{x, y, low?, high?}], intervals?: 'bars' | 'band'}]})  axes: {label, unit?, scale?: 'log', …}
//   intervalPlot({axis, rows: [{label, estimate, low?, high?}], reference?})                         ratios with intervals
//   histogram({axis, values | bins: [{from, to, count}], countLabel?, marks?: [{value, label}]})
//   flameGraph({root: {name, value, kind?, children}, format, kinds?})                               `value`: its own cost
// Pages with them: reports/document.
// `value: undefined` says "not measured" and is never drawn as 0.

export { barChart } from './bars.js';
export { flameGraph } from './flame.js';
export { histogram } from './histogram.js';
export { intervalPlot } from './intervals.js';
export { lineChart } from './lines.js';
