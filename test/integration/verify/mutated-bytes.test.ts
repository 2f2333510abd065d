import { expect, test } from 'vitest';
import { verifyTransaction } from '#client/verify/index.ts';
import { kitInstructions } from '../../support/builders/kit-compiler.ts';
import { seededRandom } from '../../support/random/json-mutations.ts';
import { exampleBuilds } from '../../support/verify/example-builds.ts';
import { mutateWire, toMutable } from '../../support/verify/mutable-builds.ts';
import { planBuilds } from '../../support/verify/plan-builds.ts';
import { tablesOf } from '../../support/verify/verified-build.ts';

const { MUTATIONS = '2500', MUTATION_SEED = '1' } = process.env;

/** Programs, accounts and roles of the instructions as kit reads them; the data is compared byte by byte. */
const withoutData = (instructions: ReturnType<typeof kitInstructions>) =>
  instructions.map(({ programAddress, accounts, data }) => [programAddress, accounts, data.length]);

test(`none of ${MUTATIONS} transactions with changed bytes is accepted if its effect changes (seed ${MUTATION_SEED})`, async () => {
  const mutables = [...(await exampleBuilds()), ...(await planBuilds(['0', '1']))].map(toMutable);
  const random = seededRandom(Number(MUTATION_SEED));
  const each = Math.ceil(Number(MUTATIONS) / mutables.length);
  let tried = 0;
  let accepted = 0;
  for (const mutable of mutables) {
    const { build, wire, isHarmless } = mutable;
    const { request, chainData } = build;
    const lookupTables = tablesOf(build.lookupTables);
    for (let left = each; left > 0; ) {
      const transaction = mutateWire(wire, random);
      const changed = changedPositions(wire, transaction);
      if (changed.length === 0) continue;
      left -= 1;
      tried += 1;
      const { verdict } = await verifyTransaction({
        request,
        transaction,
        lookupTables,
        chainData,
      });
      if (verdict !== 'accepted') continue;
      accepted += 1;
      const harmful = changed.filter((position) => !isHarmless(position));
      expect(harmful, build.name).toEqual([]);
      expect(withoutData(kitInstructions(transaction, build.lookupTables))).toEqual(
        withoutData(kitInstructions(wire, build.lookupTables)),
      );
    }
  }
  expect(tried).toBeGreaterThanOrEqual(Number(MUTATIONS));
  // signature and blockhash are about a tenth of the bytes
  expect(accepted).toBeGreaterThan(tried / 50);
});

/** A transaction of another length has changed at its end. */
function changedPositions(wire: Uint8Array, other: Uint8Array): number[] {
  const length = Math.max(wire.length, other.length);
  return Array.from({ length }, (_, i) => i).filter((i) => wire[i] !== other[i]);
}
