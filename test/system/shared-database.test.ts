import { cpSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createPostgresDatabase, findPostgresServer } from '../support/history/test-databases.ts';
import {
  runTidegate,
  simulatedDataDir,
  startServerAsIs,
  temporaryFolder,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';

const postgres = await findPostgresServer();

test.skipIf(postgres === undefined)(
  'of two copies of a data folder, the first that writes has the database',
  async () => {
    const { location, remove } = await createPostgresDatabase(postgres ?? '');
    onTestFinished(remove);
    const DATABASE_URL = location.url ?? '';
    const DATA_DIR = await simulatedDataDir();
    const copied = temporaryFolder();
    cpSync(DATA_DIR, copied, { recursive: true });

    const first = await startServerAsIs({ DATA_DIR, DATABASE_URL });
    await waitUntilReady(first.url);
    const replay = await runTidegate(['replay'], { DATA_DIR, DATABASE_URL });
    expect(replay.code).toBe(1);
    expect(replay.err).toMatch(
      /^tidegate: Another server records the history in the database .* \(tidegate serve \(process \d+ on .+\). Stop it, or use another DATABASE_URL\.\n$/,
    );
    first.process.kill('SIGTERM');
    expect((await first.finished).code).toBe(0);

    const second = await runTidegate(['serve'], { DATA_DIR: copied, DATABASE_URL, PORT: '0' });
    expect(second.code).toBe(1);
    const lines = second.err.split('\n').filter((line) => line.startsWith('tidegate: '));
    expect(lines).toEqual([
      expect.stringMatching(
        /The database contains the history of another cluster \(a localnet whose data folder is a copy of this one instead of the one in this folder\)\. Use another DATA_DIR or DATABASE_URL\./,
      ),
    ]);

    const again = await startServerAsIs({ DATA_DIR, DATABASE_URL });
    await waitUntilReady(again.url);
  },
);
