import type { SettingKind } from './settings/kind.ts';

/** What tokens of the control server are for; each role may do what the ones before it may. */
export const ROLES = ['read', 'operate', 'arm'] as const;

/** What a token may do. */
export type Role = (typeof ROLES)[number];

/** A token with the name under which its acts are journaled. */
export interface NamedToken {
  readonly name: string;
  readonly role: Role;
  readonly token: string;
}

const LINE = /^([A-Za-z0-9._-]{1,40}) +(read|operate|arm) +([\x21-\x2b\x2d-\x7e]{16,512})$/;
const RULE = 'must be lines of NAME ROLE TOKEN, ROLE being read, operate or arm, and TOKEN 16 to 512 characters';

/** Named tokens as text: one a line, or with commas between. */
export const namedTokens: SettingKind<readonly NamedToken[]> = {
  schema: { type: 'string' },
  read(value, report) {
    const lines = String(value)
      .split(/[\n,]/)
      .map((line) => line.trim());
    const tokens = lines.filter((line) => line !== '').map(tokenIn);
    const named = tokens.filter((one) => one !== undefined);
    const areDistinct = new Set(named.map(({ name }) => name)).size === named.length;
    if (named.length > 0 && named.length === tokens.length && areDistinct) return named;
    report([], areDistinct ? RULE : 'must name each holder once');
    return undefined;
  },
  fromText: (given) => given,
};

function tokenIn(line: string): NamedToken | undefined {
  const [, name = '', said, token = ''] = LINE.exec(line) ?? [];
  const role = ROLES.find((one) => one === said);
  return role && { name, role, token };
}
