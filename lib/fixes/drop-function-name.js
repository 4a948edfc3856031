export const dropFunctionName = {
  id: 'drop-function-name',
  title: 'x',
  safe: false,
  apply() {
    return undefined;
  },
};
