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
      fields: [0, 1],
    },
  ],
});

const search = (text: string) => findDocs(text, docs).map(({ url }) => url);

test('a field of that name is before a guide that has the word', () => {
  expect(search('LTV')).toEqual(['operations/getLoan', 'guide/numbers#health']);
  const [found] = findDocs('ltv', docs);
  expect(found).toMatchObject({ kind: 'GET', field: 'ltv', excerpt: 'Debt over deposits' });
});

test('every word must be found, in the title, the text or the fields', () => {
  expect(search('loan report')).toEqual(['operations/getLoan']);
  expect(search('loan wallet')).toEqual(['operations/getLoan']);
  expect(search('loan nothing')).toEqual([]);
});

test('a title that has the word is before a text that has it', () => {
  expect(search('health')).toEqual(['guide/numbers#health']);
  expect(search('loan')[0]).toBe('guide/numbers#health');
});

test('an operation is found by its path', () => {
  expect(search('/klend/loans')).toEqual(['operations/getLoan']);
});

test('an empty text finds nothing', () => {
  expect(search(' ')).toEqual([]);
});

test('an excerpt of a long text is around the word', () => {
  const text = `${'before '.repeat(40)}needle ${'after '.repeat(40)}`;
  const entry = { kind: 'guide', title: 'Long', context: '', url: 'guide/long', text };
  const [found] = findDocs('needle', prepareDocs({ fields: [], entries: [entry] }));
  expect(found?.excerpt).toMatch(/^…(before )+needle (after ?)+\w*…$/);
  expect(found?.excerpt.length).toBeLessThan(120);
});
