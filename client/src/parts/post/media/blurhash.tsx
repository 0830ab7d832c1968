import { decode } from 'blurhash'
import { useLayoutEffect, useRef } from 'preact/hooks'

const side = 24

/** What a picture looks like from afar, until it is there or wanted (https://blurha.sh). */
export function Blurhash({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const paint = canvas.current?.getContext('2d')
    if (!paint) return
    try {
      paint.putImageData(new ImageData(new Uint8ClampedArray(decode(hash, side, side)), side, side), 0, 0)
    } catch {
      // What others send need not be one.
    }
  }, [hash])
  return <canvas ref={canvas} width={side} height={side} aria-hidden="true" />
}
