/** Leaves a file with the browser. WireGuard takes tunnels' names of 15 plain letters. */
export const saveFile = (name: string, content: string | Blob): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(
    typeof content === 'string' ? new Blob([content], { type: 'application/octet-stream' }) : content,
  )
  link.download = name
  link.click()
  // Some browsers read it only after the press was handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
