import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { child, childrenOf, list, parse, type SyntaxNode } from '../../scripts/faults/syntax.ts';

const SOURCES = /\/src\/[^?]*\.ts$/;
const MAX_BRANCHES = 1 << 17;
const BRANCHES = '__kairosBranches';

/** How often each branch of the sources ran since `clear`; a count that is full stays so. */
export class Branches {
  private readonly counts = new Uint8Array(MAX_BRANCHES);
  private readonly seen = new Uint8Array(MAX_BRANCHES);
  private next = 0;

  /** Has every source of `src/` that is imported from now on count its branches here. Once a thread. */
  hook(): void {
    Object.defineProperty(globalThis, BRANCHES, { value: this.counts });
    registerHooks({
      load: (url, context, nextLoad) => {
        const loaded = nextLoad(url, context);
        if (!SOURCES.test(url) || loaded.source === undefined || loaded.source === null) return loaded;
        const plain = stripTypeScriptTypes(
          new TextDecoder().decode(typeof loaded.source === 'string' ? Buffer.from(loaded.source) : loaded.source),
        );
        return { ...loaded, format: 'module', source: this.instrumented(plain, url) };
      },
    });
  }

  clear(): void {
    this.counts.fill(0, 0, this.next);
  }

  /** As if none had ever run. */
  forget(): void {
    this.seen.fill(0, 0, this.next);
  }

  /** Branches that ran for the first time, or twice as often as ever before, since `clear`. */
  fresh(): number {
    const { counts, seen } = this;
    let found = 0;
    for (let at = 0; at < this.next; at += 1) {
      const count = counts[at] ?? 0;
      if (count === 0) continue;
      const bit = 1 << (31 - Math.clz32(count));
      if (((seen[at] ?? 0) & bit) !== 0) continue;
      seen[at] = (seen[at] ?? 0) | bit;
      found += 1;
    }
    return found;
  }

  /** How many there are in what was imported, and how many ran so far. */
  get reached(): { readonly of: number; readonly ran: number } {
    return { of: this.next, ran: this.seen.subarray(0, this.next).reduce((sum, bits) => sum + (bits === 0 ? 0 : 1), 0) };
  }

  private count(): string {
    const at = Math.min(this.next, MAX_BRANCHES - 1);
    this.next = at + 1;
    return `${BRANCHES}[${at}]<255&&${BRANCHES}[${at}]++`;
  }

  /** A module with a count at the head of each block, arm of a conditional, right operand and case. */
  private instrumented(source: string, url: string): string {
    const edits: { readonly at: number; readonly text: string; readonly depth: number }[] = [];
    const around = (node: SyntaxNode, before: string, after: string, depth: number) => {
      edits.push({ at: node.start, text: before, depth }, { at: node.end, text: after, depth: -depth });
    };
    const statement = (node: SyntaxNode | undefined, depth: number) => {
      if (node?.type === 'BlockStatement') edits.push({ at: node.start + 1, text: `${this.count()};`, depth });
      else if (node) around(node, `{${this.count()};`, '}', depth);
    };
    const expression = (node: SyntaxNode | undefined, depth: number) => {
      if (node) around(node, `(${this.count()},`, ')', depth);
    };
    const go = (node: SyntaxNode, depth: number): void => {
      const body = child(node, 'body');
      if (/^(For|While|DoWhile)/.test(node.type) || /Function(Expression|Declaration)$/.test(node.type)) {
        if (node.type !== 'ArrowFunctionExpression' || body?.type === 'BlockStatement') statement(body, depth);
        else expression(body, depth);
      } else if (node.type === 'IfStatement') {
        statement(child(node, 'consequent'), depth);
        statement(child(node, 'alternate'), depth);
      } else if (node.type === 'ConditionalExpression') {
        expression(child(node, 'consequent'), depth);
        expression(child(node, 'alternate'), depth);
      } else if (node.type === 'LogicalExpression') expression(child(node, 'right'), depth);
      else if (node.type === 'SwitchCase') {
        const [first] = list(node, 'consequent');
        if (first) edits.push({ at: first.start, text: `${this.count()};`, depth });
      }
      for (const next of childrenOf(node)) go(next, depth + 1);
    };
    go(parse(source, url.replace(/\.ts$/, '.js')), 1);
    // What closes at a place comes before what opens there, the inner before the outer; of what opens the outer comes first.
    edits.sort((a, b) => a.at - b.at || a.depth - b.depth);
    let text = '';
    let from = 0;
    for (const edit of edits) {
      text += source.slice(from, edit.at) + edit.text;
      from = edit.at;
    }
    return text + source.slice(from);
  }
}
