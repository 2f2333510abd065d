/** Offers a file for download. */
export function download(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // the browser has opened it when this runs
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

/** The canvas as a PNG image on a background. */
export async function toPng(canvas: HTMLCanvasElement, background: string): Promise<Blob> {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  if (context === null) throw new Error('This browser has no canvas.');
  context.fillStyle = background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  return new Promise((resolve, reject) => {
    copy.toBlob(
      (blob) => (blob === null ? reject(new Error('No image.')) : resolve(blob)),
      'image/png',
    );
  });
}
