export const copyBeforeMutating = {
  id: 'copy-before-mutating',
  title: 'x',
  safe: false,
  apply() {
    return undefined;
  },
};
