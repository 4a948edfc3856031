// Declares what test/tools/write-playground.js puts into the page.

declare module 'playground:files' {
  /** Texts by absolute path. */
  const files: Record<string, string>;
  export default files;
}
declare module 'playground:examples' {
  const examples: { title: string; document: string; log: string }[];
  export default examples;
}
declare module 'playground:thread' {
  /** Code of the sandbox's thread. */
  const code: string;
  export default code;
}
declare module 'playground:wasm' {
  /** QuickJS, in base64. */
  const wasm: string;
  export default wasm;
}
