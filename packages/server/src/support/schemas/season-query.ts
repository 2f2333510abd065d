import { Type } from 'typebox';

export const SeasonQuery = Type.Object({
  source: Type.Optional(
    Type.String({
      description: 'Season; defaults to the newest one. The result is empty for an unknown season',
    }),
  ),
});
