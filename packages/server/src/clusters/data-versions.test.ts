import type { StatePart } from '@tidegate/core/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { createDataVersions, type DataDependency } from './data-versions.ts';
import type { Cluster } from './served-clusters.ts';

type Counters = { slot: number; vault: number; recentEvents: number };

/** Its versions follow the counters. */
const clusterWith = (counters: Counters): Cluster =>
  ({
    reader: { versionOf: (part: StatePart) => counters[part === 'slot' ? 'slot' : 'vault'] },
    recording: { recentEvents: { version: () => counters.recentEvents } },
  }) as unknown as Cluster;

const DEPENDENCIES: readonly (readonly DataDependency[])[] = [
  ['vault'],
  ['slot', 'vault'],
  ['recentEvents'],
  ['vault', 'recentEvents', 'tokens'],
];

test('a cluster that is opened again has no version that it had before, although its counters start over', () => {
  const counters = { slot: 7, vault: 10, recentEvents: 0 };
  let cluster = clusterWith(counters);
  const versions = createDataVersions({ find: () => cluster }, { version: () => 3 });
  for (const dependencies of DEPENDENCIES) {
    const version = versions(dependencies, undefined);
    const before = version();
    expect(version()).toBe(before);
    cluster = clusterWith(counters);
    expect(version()).not.toBe(before);
  }
});

test('property: over any number of openings, versions only increase', () => {
  const counts = fc.record({ slot: fc.nat(50), vault: fc.nat(50), recentEvents: fc.nat(50) });
  const openings = fc.array(fc.record({ first: counts, added: counts }), { minLength: 2 });
  assertProperty(
    fc.property(openings, fc.constantFrom(...DEPENDENCIES), (opened, dependencies) => {
      let cluster: Cluster | undefined;
      const versions = createDataVersions({ find: () => cluster }, { version: () => 0 });
      // another response, whose version is higher
      const other = versions(['slot', 'vault', 'recentEvents'], undefined);
      const version = versions(dependencies, undefined);
      let last = -1;
      for (const { first, added } of opened) {
        const counters = { ...first };
        cluster = clusterWith(counters);
        other();
        expect(version()).toBeGreaterThan(last);
        counters.slot += added.slot;
        counters.vault += added.vault;
        counters.recentEvents += added.recentEvents;
        last = version();
      }
    }),
    100,
  );
});
