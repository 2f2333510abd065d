import { expect, test } from 'vitest';
import { findDocs, prepareDocs } from './docs-results.ts';

const docs = prepareDocs({
  fields: [
    ['ltv', 'Debt over deposits'],
    ['owner', 'Wallet that owns the loan'],
  ],
  entries: [
    {
      kind: 'guide',
      title: 'Health of a loan',
      context: 'Numbers',
      url: 'guide/numbers#health',
      text: 'The ltv of a loan is its debt divided by its deposits.',
    },
    {
      kind: 'get',
      title: 'Loan report',
      context: 'Loans',
      url: 'operations/getLoan',
      text: 'getLoan GET /klend/loans/{pubkey}',
      keys: ['getLoan', '/klend/loans/{pubkey}', '/v2/loans/{pubkey}'],
      fields: [0, 1],
    },
    {
      kind: 'term',
      title: '/klend/loans/{pubkey}',
      context: 'Rewritten paths',
      url: 'guide/http#klendloanspubkey',
      text: 'as getLoan getLoan getLoan',
    },
    {
      kind: 'term',
      title: '6016, 0x1780, ObligationHealthy',
      context: 'Error numbers of the programs: klend',
      url: 'guide/program-errors#klend-6016',
      text: 'Cannot liquidate a position. Another liquidator may have been first.',
    },
    {
      kind: 'term',
      title: 'PORT',
      context: 'Settings',
      url: 'guide/settings#port',
      text: '--port 8080 Listens on it.',
    },
    {
      kind: 'guide',
      title: 'Port forwarding and ports',
      context: 'Guide',
      url: 'guide/ports',
      text: 'port port port; the error 6016 and getloan are mentioned',
    },
  ],
});

const search = (text: string) => findDocs(text, docs).results.map(({ url }) => url);

test('a field of that name is before a guide that has the word', () => {
  expect(search('LTV')).toEqual(['operations/getLoan', 'guide/numbers#health']);
  const [found] = findDocs('ltv', docs).results;
  expect(found).toMatchObject({ kind: 'GET', field: 'ltv', excerpt: 'Debt over deposits' });
});

test('every word must be found, in the title, the text or the fields', () => {
  expect(search('loan report')).toEqual(['operations/getLoan']);
  expect(search('loan wallet')).toEqual(['operations/getLoan']);
  expect(search('loan nothing')).toEqual([]);
});

test('a title that has the word is before a text that has it', () => {
  expect(search('health')).toEqual(['guide/numbers#health', 'guide/program-errors#klend-6016']);
  expect(search('loan')[0]).toBe('guide/numbers#health');
});

test('an operation is found by its path', () => {
  expect(search('/klend/loans')[0]).toBe('operations/getLoan');
});

test('what has exactly the name is first', () => {
  const first = (text: string) => search(text)[0];
  expect(first('/klend/loans/{pubkey}')).toBe('operations/getLoan');
  expect(first('GET /klend/loans/{pubkey}')).toBe('operations/getLoan');
  expect(first('/v2/loans/{pubkey}')).toBe('operations/getLoan');
  expect(first('getloan')).toBe('operations/getLoan');
  expect(first('port')).toBe('guide/settings#port');
  expect(search('port')[1]).toBe('guide/ports');
});

test('an error is found by its number, in both forms, by its name and by the line of a log', () => {
  const error = 'guide/program-errors#klend-6016';
  const queries = ['6016', '0x1780', '0X1780', 'ObligationHealthy', 'klend 6016'];
  for (const text of queries) expect(search(text)[0], text).toBe(error);
  expect(search('Program failed: custom program error: 0x1780')).toEqual([error]);
  expect(findDocs('6016', docs).results[0]).toMatchObject({
    kind: 'Code',
    excerpt: 'Cannot liquidate a position. Another liquidator may have been first.',
  });
});

test('a word with typing errors stands for the most similar one, unless it is somewhere', () => {
  expect(findDocs('loan repotr', docs)).toMatchObject({
    corrected: 'loan report',
    results: [{ url: 'operations/getLoan' }],
  });
  expect(findDocs('helth', docs).corrected).toBe('health');
  expect(findDocs('health', docs).corrected).toBeUndefined();
  expect(findDocs('xyzzy', docs)).toEqual({ results: [], corrected: undefined });
});

test('an empty text finds nothing', () => {
  expect(search(' ')).toEqual([]);
});

test('an excerpt of a long text is around the word', () => {
  const text = `${'before '.repeat(40)}needle ${'after '.repeat(40)}`;
  const entry = { kind: 'guide', title: 'Long', context: '', url: 'guide/long', text };
  const [found] = findDocs('needle', prepareDocs({ fields: [], entries: [entry] })).results;
  expect(found?.excerpt).toMatch(/^…(before )+needle (after ?)+\w*…$/);
  expect(found?.excerpt.length).toBeLessThan(120);
});
