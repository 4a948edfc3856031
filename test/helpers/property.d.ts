// property.js has all that fast-check has, and its types, of which an object has none, are those of fast-check.
export { default } from 'fast-check';
