// The tails are those of printed tables (Abramowitz and Stegun, tables 26.1, 26.5 and 26.10) or of exact sums, and quantiles invert them, far out too.

import { expect, test } from 'vitest';
import {
  betaBelow,
  betaQuantile,
  normalQuantile,
  normalTail,
  studentQuantile,
  studentTail,
} from '../../lib/shared/distributions.js';

test.each([
  [0, 0.5],
  [1.959964, 0.025],
  [-1.959964, 0.975],
  [3, 0.0013498980316],
  [5, 2.8665157e-7],
  [10, 7.6198530242e-24],
])('a standard normal value is above %f with chance %f', (z, chance) => {
  expect(normalTail(z) / chance).toBeCloseTo(1, 6);
});

test.each([
  [2.228139, 10, 0.025],
  [4.140454, 14, 0.0005],
  [12.706205, 1, 0.025],
  [0, 3, 0.5],
])('Student: a value is above %f with %i degrees of freedom and chance %f', (t, freedom, chance) => {
  expect(studentTail(t, freedom) / chance).toBeCloseTo(1, 5);
});

/** @param {number} n @param {number} k @param {number} p @returns {number} the chance of at least k successes of n */
function atLeast(n, k, p) {
  let sum = 0;
  for (let successes = k; successes <= n; successes += 1) {
    let term = p ** successes * (1 - p) ** (n - successes);
    for (let at = 1; at <= successes; at += 1) term *= (n - successes + at) / at;
    sum += term;
  }
  return sum;
}

test.each([
  [10, 3, 0.3],
  [40, 30, 0.5],
  [25, 25, 0.01],
  [60, 1, 0.001],
])('of %i tries at least %i succeed as often as the beta distribution says, at chance %f', (n, k, p) => {
  expect(betaBelow(p, k, n - k + 1) / atLeast(n, k, p)).toBeCloseTo(1, 9);
});

test.each([0.5, 0.025, 1e-6, 1e-60])('quantiles invert their tails at %f', (chance) => {
  expect(normalTail(normalQuantile(chance)) / chance).toBeCloseTo(1, 9);
  expect(studentTail(studentQuantile(chance, 6), 6) / chance).toBeCloseTo(1, 9);
  expect(betaBelow(betaQuantile(chance, 3.5, 20), 3.5, 20) / chance).toBeCloseTo(1, 9);
});
