// Types of property.js, which are those of fast-check: it re-exports all of it as an object, which carries no types.
export { default } from 'fast-check';
