shared | u=1
| a=1
0:-1:0.5 | a=2

shared | u=2
| a=1
| a=2
