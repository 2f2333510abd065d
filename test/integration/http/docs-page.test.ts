import { expect, test } from 'vitest';
import { startApi } from '../../support/http/test-api.ts';

test('/docs redirects to the page, and all of its assets are served', async () => {
  const { url } = await startApi();
  const redirect = await fetch(`${url}/docs`, { redirect: 'manual' });
  expect([redirect.status, redirect.headers.get('location')]).toEqual([308, 'docs/']);
  await fetch(`${url}/docs/`);
  const second = await fetch(`${url}/docs`, { redirect: 'manual' });
  expect([second.status, second.headers.get('location')]).toEqual([308, 'docs/']);
  const response = await fetch(`${url}/docs`);
  const html = await response.text();
  expect(response.url).toBe(`${url}/docs/`);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(links.length).toBeGreaterThan(1);
  for (const link of links) {
    const target = new URL(link, response.url);
    expect(target.origin).toBe(new URL(url).origin);
    expect((await fetch(target)).status, link).toBe(200);
  }
});

test('the content security policy allows no other origin', async () => {
  const { url } = await startApi();
  for (const path of ['/docs/', '/docs/', '/docs/docs.js', '/docs/docs.js']) {
    const { headers } = await fetch(`${url}${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|unsafe/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('no asset refers to another host, and every imported module is served', async () => {
  const { url } = await startApi();
  const pending = ['docs.js', 'docs.css'];
  const seen = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const response = await fetch(`${url}/docs/${name}`);
    expect(response.status, name).toBe(200);
    const text = await response.text();
    expect(text, name).not.toMatch(/https?:\/\/(?!www\.w3\.org\/|example\.com\/)/);
    for (const match of text.matchAll(/from '\.\/([\w.-]+)'/g)) pending.push(match[1] ?? '');
  }
  expect(seen.size).toBeGreaterThan(3);
});

test('an unknown asset and a path outside the folder are 404', async () => {
  const { get } = await startApi();
  for (const path of ['/docs/nope.js', '/docs/..%2f..%2fpackage.json', '/docs/a/b']) {
    expect((await get(path)).status).toBe(404);
  }
});
