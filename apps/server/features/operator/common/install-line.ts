/** What is pasted on a machine to make it a node. */
export const installLine = (publicUrl: string, token: string): string =>
  `curl -fsSL ${publicUrl}/install/agent | SALLYPORT_ENROL_TOKEN=${token} sh`
