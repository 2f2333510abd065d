/** What a page gets: the values of the named segments of its path. */
export type PageProps = { readonly parameters: Readonly<Record<string, string>> };
