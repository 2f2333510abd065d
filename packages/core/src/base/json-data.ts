/** A JSON value. Undefined members are omitted. */
export type JsonData =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonData[]
  | { readonly [name: string]: JsonData | undefined };
