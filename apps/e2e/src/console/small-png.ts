/** Makes pictures of pages a third as large: 256 colours are enough for text and charts. Reads what browsers write: 8 bits, not interlaced. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const coloursMax = 256;
/** Bytes of a pixel by the colour type of the header. */
const bytesOfPixel: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

type Picture = {
  readonly width: number;
  readonly height: number;
  readonly pixelBytes: number;
  readonly pixels: Buffer;
};

/** A picture in a palette of the colours that it has most of; others become the nearest of them. */
export const shrinkPng = (png: Buffer): Buffer => {
  const { width, height, pixelBytes, pixels } = readPng(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += pixelBytes) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts.entries()]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, coloursMax)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const lines = Buffer.alloc((width + 1) * height);
  for (let at = 0, pixel = 0; at < pixels.length; at += pixelBytes, pixel += 1) {
    const colour = pixels.readUIntBE(at, 3);
    const place = places.get(colour) ?? nearestPlace(palette, colour);
    places.set(colour, place);
    lines[pixel + Math.floor(pixel / width) + 1] = place;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.concat(
    palette.map((colour) => Buffer.from([colour >> 16, (colour >> 8) & 0xff, colour & 0xff])),
  );
  return Buffer.concat([
    signature,
    ...[chunk('IHDR', header), chunk('PLTE', colours)],
    ...[chunk('IDAT', deflateSync(lines, { level: 9 })), chunk('IEND', Buffer.alloc(0))],
  ]);
};

const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 0xff) - ((other >> shift) & 0xff)) ** 2, 0);

const nearestPlace = (palette: readonly number[], colour: number): number => {
  const distances = palette.map((each) => distance(each, colour));
  return distances.indexOf(Math.min(...distances));
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

export const readPng = (png: Buffer): Picture => {
  const data: Buffer[] = [];
  let [width, height, pixelBytes] = [0, 0, 0];
  for (let at = signature.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === 'IDAT') data.push(body);
    if (type !== 'IHDR') continue;
    [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
    pixelBytes = body[8] === 8 && body[12] === 0 ? (bytesOfPixel[body[9] ?? 0] ?? 0) : 0;
  }
  if (pixelBytes === 0) throw new Error('The picture is not of 8 bits for each colour, or interlaced.');
  const pixels = unfilter(inflateSync(Buffer.concat(data)), width * pixelBytes, pixelBytes);
  return { width, height, pixelBytes, pixels };
};

/** Each line begins with the way in which its bytes were written as differences. */
const unfilter = (lines: Buffer, lineBytes: number, pixelBytes: number): Buffer => {
  const height = lines.length / (lineBytes + 1);
  const pixels = Buffer.alloc(lineBytes * height);
  for (let line = 0; line < height; line += 1) {
    const filter = lines[line * (lineBytes + 1)] ?? 0;
    const start = line * lineBytes;
    for (let at = 0; at < lineBytes; at += 1) {
      const left = at < pixelBytes ? 0 : (pixels[start + at - pixelBytes] ?? 0);
      const above = line === 0 ? 0 : (pixels[start + at - lineBytes] ?? 0);
      const aboveLeft = line === 0 || at < pixelBytes ? 0 : (pixels[start + at - lineBytes - pixelBytes] ?? 0);
      const written = lines[line * (lineBytes + 1) + 1 + at] ?? 0;
      pixels[start + at] = written + predict(filter, left, above, aboveLeft);
    }
  }
  return pixels;
};

const predict = (filter: number, left: number, above: number, aboveLeft: number): number => {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return Math.floor((left + above) / 2);
  const estimate = left + above - aboveLeft;
  const [toLeft, toAbove, toBoth] = [
    Math.abs(estimate - left),
    Math.abs(estimate - above),
    Math.abs(estimate - aboveLeft),
  ];
  if (toLeft <= toAbove && toLeft <= toBoth) return left;
  return toAbove <= toBoth ? above : aboveLeft;
};
