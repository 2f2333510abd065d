import { CodedError } from '@tidegate/core/base';
import { openHistory } from '../../../packages/server/dist/history/open-history.js';
import { silentLog } from './silent-log.js';

/** A process that opens the history of its argument and prints the result. Runs the compiled packages. */
const { url, folder } = JSON.parse(process.argv[2]);
try {
  const history = await openHistory({ url, folder, log: silentLog });
  await history.close();
  process.stdout.write('opened');
} catch (error) {
  if (!(error instanceof CodedError)) throw error;
  process.stdout.write(error.message);
}
