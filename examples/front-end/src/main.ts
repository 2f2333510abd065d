import { createClient, formatDecimal, streamUpdates } from '@tidegate/client';

const query = new URLSearchParams(location.search);
const client = createClient({ baseUrl: query.get('server') ?? 'http://127.0.0.1:8080' });
const path = { pubkey: query.get('wallet') ?? '' };
const show = (id: string, text: string) => document.getElementById(id)?.replaceChildren(text);
const usd = (value: string | null) => (value === null ? 'unknown' : formatDecimal(value, 2));

for await (const update of streamUpdates(client, '/portfolio/{pubkey}', { path })) {
  if (update.kind === 'update') {
    const loans = [...update.data.lending, ...update.data.multiply, ...update.data.leverage];
    const lines = loans.map(({ obligation, totalDepositValue, totalBorrowValue }) => {
      return `${obligation}  deposits ${usd(totalDepositValue)} USD, debt ${usd(totalBorrowValue)} USD`;
    });
    show('loans', lines.join('\n') || 'No loans');
    show('status', `At slot ${update.slot}`);
  } else if (update.kind === 'unavailable') show('status', update.message);
  else if (update.kind !== 'unchanged') show('status', update.error.message);
}
