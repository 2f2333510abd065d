import { CodedError } from '#core/base/errors.ts';
import { openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';

/** A process that opens the history of its argument and prints the result. */
const { url, folder }: { readonly url?: string; readonly folder: string } = JSON.parse(
  process.argv[2] ?? '',
);
try {
  const history = await openHistory({ url, folder, log: silentLog });
  await history.close();
  process.stdout.write('opened');
} catch (error) {
  if (!(error instanceof CodedError)) throw error;
  process.stdout.write(error.message);
}
