/** The bytes of a WebSocket message of one frame, as servers send it: final, of text, not masked (RFC 6455 section 5.2). */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(start + length)
  frame[0] = 0x81
  frame[1] = start === 2 ? length : start === 4 ? 126 : 127
  if (start === 4) frame.writeUInt16BE(length, 2)
  else if (start === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, start)
  return frame
}
