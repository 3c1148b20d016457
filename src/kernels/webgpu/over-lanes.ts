/** WGSL of a function that puts together what the lanes of a sample have; lane 0 gets it. */
export const overLanes = ({ name, type, array, together }: Record<string, string>): string => /* wgsl */ `
fn ${name}(own: ${type}, thread: u32, lane: u32) -> ${type} {
  var all = own;
  let slice = thread >> shape.laneBits;
  for (var half = (1u << shape.laneBits) / 2u; half > 0u; half /= 2u) {
    let place = slice * half + lane;
    if (lane >= half && lane < 2u * half) { ${array}[place - half] = all; }
    workgroupBarrier();
    if (lane < half) { all = ${together}; }
    workgroupBarrier();
  }
  return all;
}`
