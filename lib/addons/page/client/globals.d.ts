// the page has uPlot as a script before its own
declare const uPlot: typeof import('uplot').default;
