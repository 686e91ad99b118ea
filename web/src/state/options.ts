/** A game's options, read from the JSON schema the server sends. Kinds it does not know keep their default; of several kinds the choice is offered. */

export interface Option {
  name: string;
  kind: 'switch' | 'number' | 'choice';
  value: unknown;
  choices: unknown[];
  min?: number;
  max?: number;
}

interface Property {
  type?: string;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  anyOf?: Property[];
}

/** The options of a schema; `defaults` take the place of its own, by name. */
export function readOptions(
  schema: Record<string, unknown>,
  defaults: Record<string, unknown> = {},
): Option[] {
  const properties = (schema.properties ?? {}) as Record<string, Property>;
  return Object.entries(properties).flatMap(([name, whole]): Option[] => {
    const property = { ...whole, ...whole.anyOf?.find((each) => each.enum) };
    const value = defaults[name] ?? property.default;
    const option = { name, value, choices: property.enum ?? [] };
    if (property.enum) return [{ ...option, kind: 'choice' }];
    if (property.type === 'boolean') return [{ ...option, kind: 'switch' }];
    if (property.type !== 'integer' && property.type !== 'number') return [];
    const { minimum: min, maximum: max } = property;
    const limits = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
    return [{ ...option, kind: 'number', ...limits }];
  });
}
