/** Castagnoli polynomial, bits reversed. */
const CRC32C_POLYNOMIAL = 0x82f63b78;
/** The NVMe polynomial 0x9a6c9329ac4bc9b5 (bits reversed) in halves, because JavaScript has no fast 64-bit integers. */
const CRC64NVME_HIGH = 0x9a6c9329;
const CRC64NVME_LOW = 0xac4bc9b5;

const SLICES = 8;
// Signed, because engines keep signed 32-bit numbers in registers and allocate larger ones on the heap.
let crc32cTables: Int32Array | undefined;
let crc64Tables: { high: Int32Array; low: Int32Array } | undefined;

/** CRC-32C with eight bytes per step ("slicing-by-8"): one table per byte would take a second for 200 MB. */
export class Crc32c {
  private state = -1;
  private readonly tables = (crc32cTables ??= makeCrc32cTables());

  update(data: Uint8Array): void {
    const t = this.tables;
    let crc = this.state;
    let i = 0;
    for (; i + SLICES <= data.length; i += SLICES) {
      crc ^= byteAt(data, i) | (byteAt(data, i + 1) << 8) | (byteAt(data, i + 2) << 16) | (byteAt(data, i + 3) << 24);
      crc =
        entryAt(t, 0x700 | (crc & 255)) ^
        entryAt(t, 0x600 | ((crc >>> 8) & 255)) ^
        entryAt(t, 0x500 | ((crc >>> 16) & 255)) ^
        entryAt(t, 0x400 | (crc >>> 24)) ^
        entryAt(t, 0x300 | byteAt(data, i + 4)) ^
        entryAt(t, 0x200 | byteAt(data, i + 5)) ^
        entryAt(t, 0x100 | byteAt(data, i + 6)) ^
        entryAt(t, byteAt(data, i + 7));
    }
    for (; i < data.length; i++) crc = entryAt(t, (crc ^ byteAt(data, i)) & 255) ^ (crc >>> 8);
    this.state = crc;
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(~this.state >>> 0);
    return bytes;
  }
}

/** CRC-64/NVME. */
export class Crc64Nvme {
  private high = -1;
  private low = -1;
  private readonly tables = (crc64Tables ??= makeCrc64Tables());

  update(data: Uint8Array): void {
    const { high: highTable, low: lowTable } = this.tables;
    let { high, low } = this;
    for (let i = 0; i < data.length; i++) {
      const index = (low ^ byteAt(data, i)) & 255;
      low = ((low >>> 8) | (high << 24)) ^ entryAt(lowTable, index);
      high = (high >>> 8) ^ entryAt(highTable, index);
    }
    this.high = high;
    this.low = low;
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32BE(~this.high >>> 0, 0);
    bytes.writeUInt32BE(~this.low >>> 0, 4);
    return bytes;
  }
}

// Two functions, so that each is compiled for one kind of array. Indexes are always within the tables or the loop
// bounds, so the zero is never used.
function byteAt(data: Uint8Array, index: number): number {
  return data[index] ?? 0;
}

function entryAt(table: Int32Array, index: number): number {
  return table[index] ?? 0;
}

function makeCrc32cTables(): Int32Array {
  const tables = new Int32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? CRC32C_POLYNOMIAL ^ (crc >>> 1) : crc >>> 1;
    tables[byte] = crc;
  }
  for (let i = 256; i < tables.length; i++) {
    const previous = entryAt(tables, i - 256);
    tables[i] = entryAt(tables, previous & 255) ^ (previous >>> 8);
  }
  return tables;
}

function makeCrc64Tables(): { high: Int32Array; low: Int32Array } {
  const high = new Int32Array(256);
  const low = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let h = 0;
    let l = byte;
    for (let bit = 0; bit < 8; bit++) {
      const carry = l & 1;
      l = (l >>> 1) | (h << 31);
      h >>>= 1;
      if (carry) {
        h ^= CRC64NVME_HIGH;
        l ^= CRC64NVME_LOW;
      }
    }
    high[byte] = h;
    low[byte] = l;
  }
  return { high, low };
}
