export const functionFacts = [];
