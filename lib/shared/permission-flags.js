// Lists the flags that start a Node.js process without rights, as far as the running version knows them.

/**
 * @param {ReadonlySet<string>} known `process.allowedNodeEnvironmentFlags`
 * @param {{readsFiles?: boolean, usesNetwork?: boolean, usesThreads?: boolean}} [rights] what it keeps; it never may write files or start processes
 * @returns {string[]}
 */
export function permissionFlags(known, { readsFiles = false, usesNetwork = false, usesThreads = false } = {}) {
  return [
    // `--permission` from 22.13 and 23.5 on.
    known.has('--permission') ? '--permission' : '--experimental-permission',
    ...(readsFiles ? ['--allow-fs-read=*'] : []),
    ...(usesThreads ? ['--allow-worker'] : []),
    // The network is a right from 25 on.
    ...(usesNetwork && known.has('--allow-net') ? ['--allow-net'] : []),
  ];
}
