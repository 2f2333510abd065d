/** The quality of a media type that an `accept` header names; 0 if it does not. */
export function qualityOf(accept: string, mediaType: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== mediaType) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return quality === undefined ? 1 : Number(quality) || 0;
  }
  return 0;
}
