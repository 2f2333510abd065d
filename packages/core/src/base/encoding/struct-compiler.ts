/** A field at its place in a struct. */
type Placed = {
  readonly name: string;
  readonly at: number;
  readonly field: {
    share(source: DataView, offset: number): unknown;
    view(source: DataView, offset: number): unknown;
  };
};

type Reader = (source: DataView, offset: number) => object;
type ViewClass = new (source: DataView, offset: number) => object;

/**
 * Reads all fields into an object.
 *
 * The code is made per struct, from its names and offsets: one loop for all structs would see thousands of
 * shapes and be compiled for none of them, at two to three times the cost. Names are those of our own
 * layouts. Where the runtime forbids making code, the loop does.
 */
export function compileStructReader(fields: readonly Placed[]): Reader {
  const parts = fields.map(
    ({ name, at }, i) => `${JSON.stringify(name)}: f${i}.share(source, offset + ${at})`,
  );
  return compiled<Reader>(fields, `return (source, offset) => ({ ${parts.join(', ')} });`) ?? loop;

  function loop(source: DataView, offset: number): object {
    return Object.fromEntries(
      fields.map(({ name, at, field }) => [name, field.share(source, offset + at)]),
    );
  }
}

/** A class whose getters, on its prototype, read one field each: making a view costs one small object. */
export function compileViewClass(fields: readonly Placed[]): ViewClass {
  const getters = fields.map(
    ({ name, at }, i) =>
      `get ${JSON.stringify(name)}() { return f${i}.view(this.#source, this.#offset + ${at}); }`,
  );
  const code = `return class StructView {
    #source;
    #offset;
    constructor(source, offset) { this.#source = source; this.#offset = offset; }
    ${getters.join('\n')}
  };`;
  return compiled<ViewClass>(fields, code) ?? plainViewClass(fields);
}

/** Undefined where code from text is forbidden (`--disallow-code-generation-from-strings`, a page's policy). */
function compiled<Made>(fields: readonly Placed[], code: string): Made | undefined {
  try {
    const make = new Function(...fields.map((_, i) => `f${i}`), `'use strict'; ${code}`);
    return make(...fields.map(({ field }) => field)) as Made;
  } catch (error) {
    if (error instanceof EvalError) return undefined;
    throw error;
  }
}

function plainViewClass(fields: readonly Placed[]): ViewClass {
  class StructView {
    readonly #source: DataView;
    readonly #offset: number;

    constructor(source: DataView, offset: number) {
      this.#source = source;
      this.#offset = offset;
    }

    static read(view: StructView, { field, at }: Placed): unknown {
      return field.view(view.#source, view.#offset + at);
    }
  }
  for (const placed of fields) {
    Object.defineProperty(StructView.prototype, placed.name, {
      get(this: StructView) {
        return StructView.read(this, placed);
      },
    });
  }
  return StructView;
}
