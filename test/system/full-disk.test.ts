import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createSmallDisk } from '../support/chaos/small-disk.ts';
import { temporaryFolderPath } from '../support/processes/run-folder.ts';
import { runTidegate } from '../support/processes/run-tidegate.ts';

const smallDisk = createSmallDisk(temporaryFolderPath('small-'), 20);
afterAll(() => smallDisk.remove());

// needs root
test.skipIf(smallDisk.fill === undefined)(
  'a first start on a full disk is one line that says what to do',
  async () => {
    const { code, err } = await runTidegate(['serve'], {
      PORT: '0',
      DATA_DIR: join(smallDisk.folder, 'data'),
    });
    expect(err.replace(/^Tidegate is starting at .*\n/, '')).toMatch(
      /^tidegate: DATA_DIR is ".*"\. It accepts a folder on a disk with free space: free some, .* free space\)\.\n$/,
    );
    expect(code).toBe(1);
  },
);
