export type PageHeaders = Readonly<Record<'content-security-policy' | 'referrer-policy', string>>;

/**
 * The page sends nothing to other hosts, runs no script of its own text, and loads nothing from other hosts but images of
 * `imageSources`.
 */
export const pageHeaders = (imageSources: readonly string[]): PageHeaders => ({
  'content-security-policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'",
    ["img-src 'self' data:", ...imageSources].join(' '),
    "connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
});
