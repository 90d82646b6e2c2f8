import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Scalar, visit } from 'yaml';
import { decimalOf } from '#domain/decimal.ts';
import { messageOf } from '#domain/errors.ts';
import type { FaultList } from './faults.ts';

/** A parsed source of settings, with the line of each. */
export interface Source {
  readonly value: unknown;
  /** The place of the setting at `path`, or of the nearest group around it, as in `kairos.yaml:14`. */
  origin(path: readonly (string | number)[]): string;
}

/** How to read a source. */
interface Reading {
  /** False leaves the line out of what is said of a fault. */
  readonly lines?: boolean;
  /** True to return what stands around a fault as well. */
  readonly pastFaults?: boolean;
}

/** Maximum number of alias expansions; a YAML bomb has millions (B17). */
const MAX_ALIASES = 100;

/**
 * Parses YAML 1.2 with positions. Returns undefined after reporting a fault, also for numbers that YAML would change
 * (`010`, more digits than a double keeps). `name` is the file or another prefix of error lines.
 */
export function parseSource(text: string, name: string, faults: FaultList, how: Reading = {}): Source | undefined {
  const { lines = true, pastFaults = false } = how;
  const counter = new LineCounter();
  const where = (offset: number | undefined): string => (lines && offset !== undefined ? `${name}:${counter.linePos(offset).line}` : name);
  try {
    const document = parseDocument(text, { lineCounter: counter, uniqueKeys: true, version: '1.2', merge: false, logLevel: 'error' });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) {
      faults.add(`${where(problem.pos[0])}: is not valid YAML: ${firstLine(problem.message)}`, 'CONFIG_UNREADABLE');
      if (!pastFaults) return undefined;
    }
    if (!hasHonestNumbers(document, where, faults) && !pastFaults) return undefined;
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { value, origin: (path) => where(offsetOf(document.contents, path)) };
  } catch (error) {
    // The parser throws on some bad input: a ReferenceError for `*!` and alias bombs, a RangeError if nested too deep.
    faults.add(`${name}: is not valid YAML: ${whyThrown(error)}`, 'CONFIG_UNREADABLE');
    return undefined;
  }
}

function whyThrown(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deep';
  const why = firstLine(messageOf(error));
  return /alias count/i.test(why) ? 'its aliases unfold without end; write the values out' : why;
}

const firstLine = (message: string): string => (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');

function hasHonestNumbers(document: Document, where: (offset: number | undefined) => string, faults: FaultList): boolean {
  let honest = true;
  visit(document, {
    Scalar(_key, node: Scalar) {
      const { value, source } = node;
      if (typeof value !== 'number' || source === undefined || !Number.isFinite(value)) return;
      const plain = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(source);
      if (plain && decimalOf(source).eq(value)) return;
      honest = false;
      const why = plain
        ? `is kept as ${value}; write it in quotes if it is text`
        : `is read as ${value}; write it so, or in quotes if it is text`;
      faults.add(`${where(node.range?.[0])}: the number ${source.slice(0, 40)} ${why}`);
    },
  });
  return honest;
}

/** The offset of the node at `path`, or of its key if it has one. Stops at an alias. */
function offsetOf(root: Node | null, path: readonly (string | number)[]): number | undefined {
  let node: unknown = root;
  let offset: number | undefined;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => (isScalar(key) ? String(key.value) : isAlias(key) ? undefined : String(key)) === String(part),
      );
      if (!pair) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)];
      if (item === undefined) return offset;
      offset = startOf(item) ?? offset;
      node = item;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? undefined) : undefined;
}
