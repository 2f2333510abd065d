import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NEWEST_RULES } from '#core/protocol/releases/index.ts';
import { type Counterexample, replayCounterexample } from '#localnet/replay/counterexample.ts';
import { parseCounterexample } from '#localnet/replay/counterexample-text.ts';
import { readSettings } from '#server/cli/settings/settings.ts';
import { explainProof, replayProof } from '#server/composition/tasks/proof.ts';
import { onPglite } from '../../support/history/history-engines.ts';
import { startActiveCluster } from '../../support/proof/active-cluster.ts';
import { NEWEST_PROGRAMS, ReplaceableExecutor } from '../../support/proof/changed-programs.ts';
import { MODEL_DIFFERENCES, type ModelDifference } from '../../support/proof/model-differences.ts';
import { proveCluster } from '../../support/proof/proven-server.ts';

/** A minute of the cluster. */
const MINUTE_SLOTS = 150;
const SLOTS_AT_ONCE = 5;
/** The server reads explanations every ten seconds. */
const SLOTS_TO_EXPLAIN = 28;

/** A cluster whose programs are replaced, and a server that believes that they are the newest. */
async function startExperiment(history: Parameters<typeof proveCluster>[1]['history']) {
  const executor = new ReplaceableExecutor();
  const active = await startActiveCluster(executor);
  const { dataDir, report, advance } = await proveCluster(active, { history });
  const config = { ...readSettings({}).config, dataDir };
  const open = () => report().counterexamples.filter(({ explanation }) => explanation === null);
  const fileOf = (id: string) => join(dataDir, 'proof', 'localnet', `${id}.json`);
  return {
    open,
    /** Wallets act as they always do, for a minute at most. */
    async find({ name, executed, field, plan }: ModelDifference) {
      executor.replace(executed);
      for (let slots = 0; slots < MINUTE_SLOTS; slots += SLOTS_AT_ONCE) {
        plan?.(active);
        await advance(SLOTS_AT_ONCE);
        for (const { id } of open()) {
          const example = parseCounterexample(await readFile(fileOf(id), 'utf8'));
          if (fieldsOf(example).some((each) => each.startsWith(field)))
            return { file: fileOf(id), example };
        }
      }
      throw new Error(`${name} was not found within a minute`);
    },
    replay: (file: string) => replayProof({ args: [file], flags: {}, config }),
    /** The programs are right again, and what was found is explained. */
    async settle(name: string) {
      executor.replace(NEWEST_PROGRAMS);
      await advance(1);
      for (const { id } of open()) await explainProof({ args: [id, name], flags: {}, config });
      for (let i = 0; i < SLOTS_TO_EXPLAIN; i++) active.advance();
      await advance(SLOTS_AT_ONCE);
    },
  };
}

onPglite('a program that does something else than the server computes', ({ fresh }) => {
  test.each(MODEL_DIFFERENCES.map((each) => [each.name, each] as const))(
    'in its %s is found within a minute, and reproduced offline',
    async (_, difference) => {
      const { find, replay, settle, open } = await startExperiment(await (await fresh()).open());
      const { name, field, executed } = difference;
      const { file, example } = await find(difference);
      const { output, exitCode } = await replay(file);
      expect(exitCode).toBe(1);
      expect(output).toContain(`    ${field}`);
      if (executed.rules !== NEWEST_RULES) {
        expect(verdictsWith(executed.rules, example)).not.toContain('differing');
      }
      await settle(name);
      expect(open()).toEqual([]);
    },
  );
});

const fieldsOf = ({ differences }: Counterexample): string[] =>
  differences.map(({ field }) => field);

function verdictsWith(rules: typeof NEWEST_RULES, example: Counterexample): string[] {
  const { accounts, transactions } = replayCounterexample(example, rules);
  return [...accounts, ...transactions].map(({ verdict }) => verdict);
}
