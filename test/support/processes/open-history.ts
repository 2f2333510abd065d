import { CodedError } from '#core/base/errors.ts';
import { openHistory } from '#server/history/open-history.ts';
import { silentLog } from '../fakes/silent-log.ts';

/** Opens the store that its argument tells, in a process of its own, and says how that went. */
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
