import { formOf } from './draws.ts';

/** A quote's frame that nobody can use: cut off, binary, of an unknown type, or without a field that it needs. */
export function badFrame(frame: string, unit: number): string | Buffer {
  switch (formOf(['cut off', 'without id', 'without validUntil', 'unknown', 'binary'], unit)) {
    case 'cut off':
      return frame.slice(0, frame.length >> 1);
    case 'without id':
      return frame.replace(/"id":"[^"]*",/, '');
    case 'without validUntil':
      return frame.replace(/,"validUntil":"[^"]*"/, '');
    case 'unknown':
      return frame.replace(/"msgType":"[^"]*"/, '"msgType":"XQ"');
    case 'binary':
      return Buffer.from(frame);
  }
}

/** A trading quote's frame at prices that cannot be: crossed, zero, ten times the price, no number. Others stay as they are. */
export function wildFrame(frame: string, unit: number): string {
  switch (formOf(['crossed', 'zero', 'tenfold', 'no number'], unit)) {
    case 'crossed':
      return frame.replace(
        /("buyQuote":\{[^}]*?"price":)([\d.eE+-]+)/,
        (_all, before: string, price: string) => `${before}${Number(price) * 0.9}`,
      );
    case 'zero':
      return frame.replace(/"price":[\d.eE+-]+/g, '"price":0');
    case 'tenfold':
      return frame.replace(/"(price|value)":([\d.eE+-]+)/g, (_all, name: string, figure: string) => `"${name}":${Number(figure) * 10}`);
    case 'no number':
      return frame.replace(/"price":[\d.eE+-]+/g, '"price":"NaN"');
  }
}
