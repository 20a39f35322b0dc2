/** The flags that print the version. */
export const VERSION_FLAGS = ['-V', '--version'];
