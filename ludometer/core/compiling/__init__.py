"""From rules to machine code: the kernel decorator and its cache, dispatch by type, compiled players, and small tools of compiled code."""
