import type { SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import type { Fault, Notification, RpcCall } from './fault.ts';
import { happens, onTime, slots } from './fault.ts';

/** The clock arrives as it should, in most faults. */
const isOfPrograms = ({ subscribed }: Notification): boolean =>
  subscribed?.method === 'programSubscribe';

const withDelay = (delayMs: (notification: Notification) => number) => ({
  notification: (notification: Notification) => [
    {
      text: notification.text,
      delayMs: isOfPrograms(notification) ? delayMs(notification) : 0,
    },
  ],
});

/** Of program subscriptions, those whose filters are the same concern the same kind. */
const kindOf = ({ params }: RpcCall): string => JSON.stringify(params);

/** One of the first kinds that send something. */
function createSilentKind(random: SeededRandom) {
  let left = random.between(0n, 6n);
  let silent: string | undefined;
  return (notification: Notification): boolean => {
    const { subscribed } = notification;
    if (subscribed === undefined || !isOfPrograms(notification)) return false;
    if (silent === undefined && left-- <= 0n) silent = kindOf(subscribed);
    return silent === kindOf(subscribed);
  };
}

const lastDigit = /"subscription":(\d+)/;

/** Faults of the stream of updates. */
export const streamFaults: readonly Fault[] = [
  {
    name: 'one subscription silent',
    change: 'sends nothing more of one kind of accounts over WebSocket',
    begin: ({ random }) => {
      const isSilent = createSilentKind(random);
      return { notification: (each) => (isSilent(each) ? [] : onTime(each.text)) };
    },
  },
  {
    name: 'notifications lost',
    change: 'loses 10 % of the notifications of accounts',
    begin: ({ random }) => ({
      notification: (each) => (isOfPrograms(each) && happens(random, 10) ? [] : onTime(each.text)),
    }),
  },
  {
    name: 'duplicates',
    change: 'sends every notification again, most of them late',
    begin: ({ random }) => ({
      notification: ({ text }) => [
        { text, delayMs: 0 },
        { text, delayMs: slots(Number(random.between(0n, 5n))) },
      ],
    }),
  },
  {
    name: 'reordered by 700 ms',
    change: 'sends notifications of accounts up to 700 ms late, each by another time',
    begin: ({ random }) =>
      withDelay(() => (slots(700) * Number(random.between(0n, 100n))) / 40_000),
  },
  {
    name: 'late by 5 s',
    change: 'sends notifications of accounts 5 s late, while the clock is on time',
    begin: () => withDelay(() => slots(12)),
  },
  {
    name: 'late by 30 s',
    change: 'sends notifications of accounts 30 s late, while the clock is on time',
    begin: () => withDelay(() => slots(75)),
  },
  {
    name: 'all late',
    change: 'sends everything 2 s late, with the clock',
    begin: () => ({ notification: ({ text }) => [{ text, delayMs: slots(5) }] }),
  },
  {
    name: 'unknown subscription',
    change: 'sends a third of the notifications with another number of the subscription',
    begin: ({ random }) => ({
      notification: ({ text }) =>
        onTime(
          happens(random, 33)
            ? text.replace(lastDigit, (_, id: string) => `"subscription":${Number(id) + 70_000}`)
            : text,
        ),
    }),
  },
  {
    name: 'sockets closed',
    change: 'closes WebSocket connections after about every thirtieth notification',
    begin: ({ random }) => ({ closesSockets: () => happens(random, 3) }),
  },
  {
    name: 'silent socket',
    change: 'sends nothing over an open WebSocket',
    begin: () => ({ notification: () => [], confirmation: () => undefined }),
  },
  {
    name: 'not confirmed',
    change: 'does not confirm a third of the subscriptions',
    begin: ({ random }) => ({
      confirmation: (text) => (happens(random, 33) ? undefined : text),
      closesSockets: () => happens(random, 2),
    }),
  },
  {
    name: 'wrong data length in updates',
    change: 'sends a tenth of the notifications of accounts without their last bytes',
    begin: ({ random }) => ({
      notification: (each) =>
        onTime(isOfPrograms(each) && happens(random, 10) ? shortenData(each.text) : each.text),
    }),
  },
  {
    name: 'malformed messages',
    change: 'sends half of the text of each fiftieth notification',
    begin: ({ random }) => ({
      notification: ({ text }) =>
        onTime(happens(random, 2) ? text.slice(0, text.length / 2) : text),
    }),
  },
];

type AccountNotification = {
  readonly params: {
    readonly result: {
      readonly value: { readonly account: { readonly data: readonly [string, string] } };
    };
  };
};

function shortenData(text: string): string {
  const { params } = JSON.parse(text) as AccountNotification;
  const [data] = params.result.value.account.data;
  return text.replace(data, Buffer.from(data, 'base64').subarray(0, -8).toString('base64'));
}
