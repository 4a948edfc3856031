// Dates of the sandbox's clock are those of Node in that time zone.

import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { openSandbox } from '../helpers/internals.js';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const PARTS = `(function () {
  var told = [];
  var dates = [
    new Date('2020-01-01T10:00:00Z'), new Date('2020-01-01T10:00:00'), new Date('2020-01-01'), new Date(1577923200000),
    new Date(2020, 0, 31), new Date(2020, 1, 29, 23, 59, 59, 999), new Date(new Date(2021, 5, 1)), new Date('2020/03/05 10:30'),
    new Date('Mar 5, 2020 10:30:00 GMT+0100'), new Date(NaN), new Date(99, 1)
  ];
  for (var i = 0; i < dates.length; i++) {
    var d = dates[i];
    told.push([d.getTime(), d.getFullYear(), d.getMonth(), d.getDate(), d.getDay(), d.getHours(), d.getMinutes(), d.getSeconds(),
      d.getTimezoneOffset(), d.getUTCHours(), d.getYear(), JSON.stringify(d), d instanceof Date, Date.parse(String(d)) / 1000 | 0]);
    d.setHours(1, 2); told.push(d.getTime());
    d.setDate(31); d.setMonth(1); told.push(d.getTime());
    d.setFullYear(2024, 1, 29); told.push(d.getTime());
  }
  told.push([typeof Date(), Date.length, Date.name, Date.UTC(2020, 1), new Date(2020, 0, 1).toString().slice(0, 33),
    new Date(2020, 0, 1).toDateString(), new Date(2020, 0, 1).toTimeString().slice(0, 17)]);
  return told;
})()`;

test.each([
  ['UTC', 0],
  ['Asia/Kolkata', 330],
  ['Etc/GMT+8', -480],
  ['Etc/GMT-14', 840],
])('%s', async (zone, zoneMinutes) => {
  const { stdout } = spawnSync(process.execPath, ['-e', `console.log(JSON.stringify(${PARTS}))`], {
    env: { ...process.env, TZ: zone },
    encoding: 'utf8',
  });
  const clock = { now: 5, zoneMinutes };
  const [answer] = await sandbox.map({ source: `function (doc) { emit(${PARTS}); }`, docs: [{}], clock });
  expect(answer).toEqual({ emits: [{ key: JSON.parse(stdout), value: null }] });
});

test('the clock stands at the moment that is given', async () => {
  const source = 'function (doc) { emit(Date.now(), new Date().getTime()); emit(new Date(), Date().length > 20); }';
  const [answer] = await sandbox.map({ source, docs: [{}], clock: { now: 86_400_000, zoneMinutes: 0 } });
  expect(answer).toEqual({
    emits: [
      { key: 86_400_000, value: 86_400_000 },
      { key: '1970-01-02T00:00:00.000Z', value: true },
    ],
  });
});
